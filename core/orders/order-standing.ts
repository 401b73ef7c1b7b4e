/**
 * What an order is called and what its money counts as, from its status, its payment's refund and its disputes: the one
 * table behind the shopper's pages, the console, the report, the live numbers and the tables of a sale.
 */
import { type DisputeState, isContested, isPaid, type Order, type OrderStatus } from './order.ts'
import { refundOf, refundTotal } from './order-refunds.ts'

/** `payment` is null in the console's answers. */
type Refundable = Pick<Order, 'status' | 'amount' | 'refunds'> & {
  payment?: Pick<NonNullable<Order['payment']>, 'paymentId'> | null
}

/**
 * The status that people read first. An order that was sent keeps its status when all of its money goes back, and is
 * called by that.
 */
export function shownStatus(order: Refundable): OrderStatus {
  const { status, amount, payment } = order
  const refund = isPaid(order) && payment ? refundOf(order, payment.paymentId) : undefined
  if (refund === undefined || refundTotal(refund) < amount) return status
  return refund.returned < refundTotal(refund) ? 'refund-due' : 'refunded'
}

/**
 * What the amount of an order that was paid and has its units counts as: revenue (`paid`), at stake or lost at the bank
 * (`disputed`), or no longer the shop's (`returned`). Undefined for any other order. A part that goes back changes nothing.
 */
export function moneyState(
  order: Pick<Order, 'status' | 'amount'> & { shown: OrderStatus; dispute?: DisputeState | undefined },
): 'paid' | 'disputed' | 'returned' | undefined {
  if (!isPaid(order)) return undefined
  if (order.shown !== order.status) return 'returned'
  return isContested({ dispute: order.dispute && { state: order.dispute } }) ? 'disputed' : 'paid'
}

/** The same for a whole order. */
export const moneyStateOfOrder = (order: Order) =>
  moneyState({ ...order, shown: shownStatus(order), dispute: order.dispute?.state })
