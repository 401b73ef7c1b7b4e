/** The bill of an order: above the order button what its market demands there, and a receipt once it is paid. */
import type { OrderView } from '../../../core/api/shop.ts'
import type { OrderBill } from '../../../core/orders/bill.ts'
import { isPayable, type OrderStage } from '../../../core/orders/order-stage.ts'
import { type BillLine, marketRules } from '../../../core/sale/market.ts'
import { make } from '../lib/dom.ts'
import type { OrdersVoice } from './orders-voice.ts'

type Row = readonly [id: string, name: string, value: string]

/** `units` are those of the order in words. Undefined without a bill, and for an order that nothing is or was paid for. */
export function drawBill(
  voice: OrdersVoice,
  { order, stage, title, units }: { order: OrderView; stage: OrderStage; title: string; units: string },
): HTMLElement | undefined {
  const { bill, currency } = order
  const isOrdering = isPayable(stage)
  if (bill === undefined || !(isOrdering || order.payment === 'succeeded')) return undefined
  const rules = marketRules[bill.market]
  const money = (amount: number) => voice.money(amount, currency)
  const shown = new Set<BillLine>(rules.orderLines)
  const rows: Row[] = []
  if (shown.has('goods') || !isOrdering) {
    rows.push(['goods', voice.t('bill.goods'), `${title} · ${units} · ${money(bill.goods)}`])
  }
  if (shown.has('delivery') || bill.delivery !== 0) {
    rows.push(['delivery', voice.t('bill.delivery'), deliveryText(voice, bill, money)])
  }
  rows.push(['total', voice.t(bill.delivery === null ? 'bill.subtotal' : 'bill.total'), money(bill.total)])
  if (bill.tax !== undefined && bill.net !== undefined) {
    const key = rules.taxIncluded ? 'bill.vat' : 'bill.tax'
    rows.push(['tax', voice.t(key, { percent: percentText(voice, bill.taxPercent) }), money(bill.tax)])
    if (!isOrdering) rows.push(['net', voice.t('bill.net'), money(bill.net)])
  }
  if (isOrdering && shown.has('term')) rows.push(['term', voice.t('bill.term'), voice.t('bill.once')])
  if (isOrdering && rules.shipWithinDays !== undefined) {
    const days = voice.t('bill.dispatchWithin', { days: rules.shipWithinDays })
    rows.push(['dispatch', voice.t('bill.dispatch'), days])
  }
  const { withdrawalException: exception } = bill
  if (exception !== undefined) {
    rows.push(['withdrawal', voice.t('bill.withdrawal'), voice.t(`withdrawal.exception.${exception}`)])
  }
  return make(
    'section',
    { id: 'bill', 'aria-labelledby': 'bill-title' },
    make('h2', { id: 'bill-title' }, voice.t(isOrdering ? 'bill.title' : 'bill.receipt')),
    make(
      'dl',
      { class: 'facts' },
      ...rows.map(([id, name, value]) =>
        make('div', {}, make('dt', {}, name), make('dd', { id: `bill-${id}` }, value)),
      ),
    ),
  )
}

function deliveryText(voice: OrdersVoice, { delivery }: OrderBill, money: (amount: number) => string): string {
  if (delivery === null) return voice.t('bill.deliveryLater')
  return delivery === 0 ? voice.t('bill.deliveryFree') : money(delivery)
}

function percentText(voice: OrdersVoice, percent: number | undefined): string {
  return new Intl.NumberFormat(voice.locale(), { maximumFractionDigits: 2 }).format(percent ?? 0)
}
