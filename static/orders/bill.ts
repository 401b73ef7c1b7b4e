/** Parses the bill of an order and draws it. */
import type { OrderView } from '../../core/api/shop.ts'
import type { OrderBill } from '../../core/orders/bill.ts'
import { isPayable, type OrderStage } from '../../core/orders/order-stage.ts'
import { make } from '../../web/dom.ts'
import { fact, headed } from '../../web/parts.ts'
import { fieldsOf, isNumber, readOrder } from '../../web/wire.ts'
import type { OrdersVoice } from './orders-voice.ts'

/** Parses an order with its bill. */
export function readBilledOrder(value: unknown): OrderView | undefined {
  const order = readOrder(value)
  const bill = readBill(fieldsOf(value)?.bill)
  return order && bill ? { ...order, bill } : order
}

function readBill(value: unknown): OrderBill | undefined {
  const { goods, delivery, total } = fieldsOf(value) ?? {}
  if (!isNumber(goods) || !isNumber(total)) return undefined
  return { goods, delivery: isNumber(delivery) ? delivery : null, total }
}

/** True while the page does not know the delivery costs of the stored address, so that its total is not final. */
export const isTotalOpen = ({ bill, delivery }: Pick<OrderView, 'bill' | 'delivery'>): boolean =>
  delivery === 'stored' && bill?.delivery === null

/** True when the shopper must see the bill before the payment, so that no step may start it automatically. */
export function isBilledFirst({ bill }: Pick<OrderView, 'bill'>): boolean {
  return bill !== undefined && (bill.goods !== bill.total || bill.delivery === null)
}

/**
 * Draws the bill, directly above the order button, or the receipt of a paid order. `units` is the quantity as text.
 * Undefined for an order without a bill or without a payment.
 */
export function drawBill(
  voice: OrdersVoice,
  { order, stage, title, units }: { order: OrderView; stage: OrderStage; title: string; units: string },
): HTMLElement | undefined {
  const { bill, currency } = order
  const isOrdering = isPayable(stage)
  if (bill === undefined || !(isOrdering || order.payment === 'succeeded')) return undefined
  const money = (amount: number) => voice.money(amount, currency)
  return headed(
    'bill-title',
    voice.t(isOrdering ? 'bill.title' : 'bill.receipt'),
    { id: 'bill' },
    make(
      'dl',
      { class: 'facts' },
      fact(voice.t('bill.goods'), { id: 'bill-goods' }, `${title} · ${units} · ${money(bill.goods)}`),
      fact(voice.t('bill.delivery'), { id: 'bill-delivery' }, deliveryText(voice, bill, money)),
      fact(voice.t(bill.delivery === null ? 'bill.subtotal' : 'bill.total'), { id: 'bill-total' }, money(bill.total)),
      refundedFact(voice, order),
    ),
  )
}

/** Draws the amount of a partial refund. The lead of the page states a full one. */
export function refundedFact(voice: OrdersVoice, { status, refund, refundedAmount, currency }: OrderView) {
  if (refundedAmount === undefined || (refund ?? status) === 'refunded') return undefined
  return fact(voice.t('order.refunded'), { id: 'order-refunded' }, voice.money(refundedAmount, currency))
}

function deliveryText(voice: OrdersVoice, { delivery }: OrderBill, money: (amount: number) => string): string {
  if (delivery === null) return voice.t('bill.deliveryLater')
  return delivery === 0 ? voice.t('bill.deliveryFree') : money(delivery)
}
