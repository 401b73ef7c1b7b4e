/** The panels of one sale: those that its kind needs, in their order. */

import type { Live } from '../../../../core/api/control.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import { make } from '../../lib/dom.ts'
import { foldedPanel } from '../lib/folded-panel.ts'
import { refundPanel } from '../orders/refund-panel.ts'
import { reservePanel } from '../orders/reserve-panel.ts'
import { shipmentPanel } from '../orders/shipment-panel.ts'
import { earlyPanel } from '../people/early-panel.ts'
import { tablesPanel } from '../report/tables-panel.ts'
import { shardPanel } from '../stock/shard-panel.ts'
import type { UnitsChange } from '../stock/stock-keys.ts'
import { stockPanel } from '../stock/stock-panel.ts'
import { variantPanel } from '../stock/variant-panel.ts'
import type { ViewContext } from '../view.ts'
import { settingsOf } from './facts.ts'
import { healthPanel } from './health-panel.ts'
import { overviewPanel } from './overview-panel.ts'
import type { RepairedSale } from './repairs.ts'
import { windowPanel } from './window-panel.ts'

type Asks = {
  /** Adds units, or removes some. */
  restock(change: UnitsChange): Promise<void>
  /** Something was done that may have changed the numbers. */
  lookAgain(): void
}

export function salePanels(
  context: ViewContext,
  sale: RepairedSale & Pick<Sale, 'variants'>,
  { restock, lookAgain }: Asks,
) {
  const { voice, may } = context
  const { kind } = sale
  let left = false
  let latest: Live | undefined
  const settings = make('dl', { class: 'facts' })
  const facts = foldedPanel(
    { id: 'settings', title: voice.t('console.facts'), text: voice.t('rare.settings') },
    settings,
  )
  const overview = overviewPanel(voice, kind)
  const shards = shardPanel(voice, kind)
  const variants = variantPanel(voice)
  const stock = stockPanel(voice, kind, may('changeStock') ? restock : undefined)
  const health = healthPanel(context, sale, lookAgain)
  const windows = windowPanel(voice, kind)
  const refund = refundPanel(context, kind, lookAgain)
  const reserve = reservePanel(context, sale, { latest: () => latest, onDone: lookAgain })
  const shipments = shipmentPanel(context, sale.saleId, lookAgain, () => left)
  const tables = tablesPanel(context, sale, () => left)
  const early = earlyPanel(context, sale.saleId, () => left)

  return {
    elements: [
      health.element,
      overview.element,
      variants.element,
      shards.element,
      make('div', { class: 'panels' }, stock.element, tables.element, windows.element),
      make('div', { class: 'folded-panels' }, reserve, early.element, shipments, refund, facts),
    ],
    /** What changes with every look. */
    draw(now: Live): void {
      const isOpened = now.sale.epoch > 0
      health.draw(now)
      overview.draw(now)
      shards.draw(now)
      variants.draw(now)
      stock.draw(now)
      tables.draw(now)
      latest = now
      if (now.sale.archivedAt !== undefined) stock.element.hidden = true
      // What a shopper claimed is theirs: there is no order to give back.
      refund.hidden = !isOpened || kind === 'red-packet' || !may('refund')
      reserve.hidden = now.phase !== 'open' || kind !== 'goods' || !may('reserveOrders')
      shipments.hidden = !isOpened || kind !== 'goods' || !may('ship')
    },
    /** No answer comes any more; the last one is of `since`, epoch ms. */
    lose(since: number): void {
      health.lose(since)
    },
    /** What changes with the sale itself. */
    drawSale(now: Sale): void {
      const rows = settingsOf(voice, now)
      settings.replaceChildren(
        ...rows.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))),
      )
      windows.draw(now)
      early.draw(now)
    },
    leave(): void {
      overview.destroy()
      left = true
    },
  }
}
