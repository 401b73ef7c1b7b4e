/** Links to the report, and downloads the orders, red packets or coupon codes. */
import type { Live } from '../../core/api/control-answers.ts'
import { byteOrderMark } from '../../core/lib/csv-line.ts'
import { withUnitsLeft } from '../../core/sale/copy-sale.ts'
import { saveFile } from '../../web/save.ts'
import { getTablePart, type TableName } from '../api.ts'
import { addressOfOrders } from '../orders/orders-address.ts'
import { sayFor } from '../parts/kind-words.ts'
import { WorkButton } from '../parts/work-button.tsx'
import { failureText, useView, type ViewContext } from '../view.ts'

/** Hidden while it has no button to offer. */
export function TablesPanel({ live }: { live: Live }) {
  const { saleId, kind, warmed, epoch } = live.sale
  const context = useView()
  const { voice, may } = context
  const hasOrders = warmed && may(kind === 'red-packet' ? 'getPackets' : 'getOrders')
  const hasCodes = epoch > 0 && kind === 'coupon' && may('getCoupons')
  const again = may('createSale') ? withUnitsLeft(live) : undefined
  return (
    <section class="panel tables" id="tables" hidden={!hasOrders && !hasCodes && again === undefined}>
      <h2>{voice.t('tables.title')}</h2>
      <p hidden={!hasOrders}>{voice.t('reporting.text')}</p>
      <div class="actions">
        {kind !== 'red-packet' && (
          <a
            class="button button--plain"
            id="orders-of-sale"
            href={addressOfOrders({ sale: saleId })}
            hidden={!hasOrders}
          >
            {voice.t('console.orders')}
          </a>
        )}
        <a class="button button--plain" id="report-of-sale" href={`#/sale/${saleId}/report`} hidden={!hasOrders}>
          {voice.t('report.about')}
        </a>
        <WorkButton
          id="orders-download"
          look="plain"
          hidden={!hasOrders}
          work={() => downloadTable(context, kind === 'red-packet' ? 'packets' : 'orders', saleId)}
        >
          {sayFor(voice, kind)('care.table')}
        </WorkButton>
        <WorkButton
          id="codes-download"
          look="plain"
          hidden={!hasCodes}
          work={() => downloadTable(context, 'coupons', saleId)}
        >
          {voice.t('codes.download')}
        </WorkButton>
      </div>
      {again !== undefined && (
        <div class="actions">
          <a class="button button--plain" id="offer-again" href={`#/sale/${saleId}/again`}>
            {voice.t('again.offer', { n: again.stock })}
          </a>
          <p class="note">{voice.t('again.hint')}</p>
        </div>
      )}
      <p class="note" hidden={!hasCodes}>
        {voice.t('codes.text')}
      </p>
    </section>
  )
}

/** The browser keeps each part outside of the page's own memory. */
async function downloadTable(
  { voice, announce, isLeft }: ViewContext,
  table: TableName,
  saleId: string,
): Promise<void> {
  const parts: Blob[] = []
  let after: string | null = ''
  while (after !== null) {
    announce(voice.t('do.loadingPart', { n: parts.length + 1 }))
    const answer = await getTablePart(table, saleId, { after })
    if (isLeft()) return
    if (!answer.ok) return announce(failureText(voice, answer.reply))
    parts.push(new Blob([answer.value.text]))
    after = answer.value.next
  }
  // The text of an answer comes without its mark.
  void saveFile(new Blob([byteOrderMark, ...parts], { type: 'text/csv' }), `${saleId}-${table}.csv`)
  announce('')
}
