/**
 * An order of the caller's. It exists from the moment its units are reserved: until it is written, the hold in Redis
 * represents it (I2). An order of another shopper does not exist for the caller.
 */
import type { OrderId, ShopperId } from '../../core/ids.ts'
import type { Order, OrderView } from '../../core/order.ts'
import { refundOf } from '../../core/order-refunds.ts'
import type { Hold } from '../../redis/stock.ts'

export type OwnOrderPorts = {
  /** Sees every write that was answered. */
  orders: { find: (orderId: OrderId) => Promise<Order | undefined> }
  holds: { find: (orderId: OrderId) => Promise<Hold | undefined> }
}

/** `reserved`: the queue has not written it yet. */
export type OwnOrder = { kind: 'written'; order: Order } | { kind: 'reserved'; hold: Hold }

/** The shopper's order of that id, or undefined when it is missing or another shopper's. */
export async function ownOrder(
  { orders, holds }: OwnOrderPorts,
  shopperId: ShopperId,
  orderId: OrderId,
): Promise<OwnOrder | undefined> {
  const order = await orders.find(orderId)
  if (order !== undefined) return order.shopperId === shopperId ? { kind: 'written', order } : undefined
  const hold = await holds.find(orderId)
  return hold?.shopperId === shopperId ? { kind: 'reserved', hold } : undefined
}

/** A written order as its shopper sees it, without its coupons. */
export function viewOf(order: Order): OrderView {
  const { orderId, saleId, quantity, amount, currency, status, reservedAt, payBy, history } = order
  return {
    ...{ orderId, saleId, quantity, amount, currency, status, reservedAt, history },
    // In any other status there is nothing to pay.
    payBy: status === 'awaiting-payment' ? payBy : null,
    ...(order.payment && { payment: order.payment.state }),
    ...refundedOf(order),
    ...(order.reason && { reason: order.reason }),
  }
}

function refundedOf(order: Order): Pick<OrderView, 'refundedAmount'> {
  const back = order.payment && refundOf(order, order.payment.paymentId)
  return back !== undefined && back.returned > 0 ? { refundedAmount: back.returned } : {}
}
