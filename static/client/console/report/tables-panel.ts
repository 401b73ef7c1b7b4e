/** The files of a sale that a marketer takes away: its report, its orders or red packets, and its coupon codes. */

import type { Live } from '../../../../core/api/control.ts'
import { make } from '../../lib/dom.ts'
import { saveFile } from '../../lib/save-file.ts'
import { getTablePart, type TableName } from '../api.ts'
import { sayFor } from '../lib/kind-words.ts'
import { workButton } from '../lib/work-button.ts'
import type { RepairedSale } from '../sale/repairs.ts'
import { failureText, type ViewContext } from '../view.ts'
import { reportButtons } from './report-buttons.ts'

type TablesPanel = { element: HTMLElement; draw(live: Live): void }

/** Hidden while it has no button to offer; `hasLeft` says whether the view was left meanwhile. */
export function tablesPanel(context: ViewContext, sale: RepairedSale, hasLeft: () => boolean): TablesPanel {
  const { voice, may } = context
  const orders = workButton('orders-download', 'plain', sayFor(voice, sale.kind)('care.table'), () =>
    downloadTable(context, sale.kind === 'red-packet' ? 'packets' : 'orders', sale.saleId, hasLeft),
  )
  const codes = workButton('codes-download', 'plain', voice.t('codes.download'), () =>
    downloadTable(context, 'coupons', sale.saleId, hasLeft),
  )
  const codesText = make('p', { class: 'tables__hint' }, voice.t('codes.text'))
  const report = reportButtons(context, sale.saleId, hasLeft)
  const reportText = make('p', {}, voice.t('reporting.text'))
  const buttons = make('div', { class: 'actions' }, ...report, orders, codes)
  const element = make(
    'section',
    { class: 'panel tables', id: 'tables' },
    make('h2', {}, voice.t('tables.title')),
    reportText,
    buttons,
    codesText,
  )

  return {
    element,
    draw({ sale: { warmed, epoch } }) {
      orders.hidden = !warmed || !may(sale.kind === 'red-packet' ? 'getPackets' : 'getOrders')
      for (const part of [reportText, ...report]) part.hidden = orders.hidden
      codes.hidden = epoch === 0 || sale.kind !== 'coupon' || !may('getCoupons')
      codesText.hidden = codes.hidden
      element.hidden = [orders, codes].every((button) => button.hasAttribute('hidden'))
    },
  }
}

/** The browser keeps each part outside of the page's own memory. */
async function downloadTable(
  { voice, announce }: ViewContext,
  table: TableName,
  saleId: string,
  hasLeft: () => boolean,
): Promise<void> {
  const parts: Blob[] = []
  let after: string | null = ''
  while (after !== null) {
    announce(voice.t('do.loadingPart', { n: parts.length + 1 }))
    const answer = await getTablePart(table, saleId, after)
    if (hasLeft()) return
    if (!answer.ok) return announce(failureText(voice, answer.reply))
    parts.push(new Blob([answer.value.text]))
    after = answer.value.next
  }
  saveFile(new Blob(parts, { type: 'text/csv' }), `${saleId}-${table}.csv`)
  announce(voice.t('do.done'))
}
