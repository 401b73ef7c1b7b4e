/** The bill of an order: directly above the order button, and a receipt once it is paid. */
import type { OrderView } from '../../../core/api/shop.ts'
import type { OrderBill } from '../../../core/orders/bill.ts'
import { isPayable, type OrderStage } from '../../../core/orders/order-stage.ts'
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
  const money = (amount: number) => voice.money(amount, currency)
  const rows: Row[] = [
    ['goods', voice.t('bill.goods'), `${title} · ${units} · ${money(bill.goods)}`],
    ['delivery', voice.t('bill.delivery'), deliveryText(voice, bill, money)],
    ['total', voice.t(bill.delivery === null ? 'bill.subtotal' : 'bill.total'), money(bill.total)],
  ]
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
