/**
 * The status of an order that people see, and whether its amount is revenue, from its status, the refund of its payment and
 * its disputes. The shopper's pages, the console, the report, the live numbers and the tables of a sale share these rules.
 */
import { type DisputeState, isContested, isPaid, type Order, type OrderStatus } from './order.ts'
import { refundOf, refundTotal } from './order-refunds.ts'

/** `payment` is null in the console's answers. */
type Refundable = Pick<Order, 'status' | 'amount' | 'refunds'> & {
  payment?: Pick<NonNullable<Order['payment']>, 'paymentId'> | null
}

/**
 * Returns the status that people see. A shipped order keeps its status when its whole amount is refunded, but is shown as
 * refunded.
 */
export function shownStatus(order: Refundable): OrderStatus {
  const { status, amount, payment } = order
  const refund = isPaid(order) && payment ? refundOf(order, payment.paymentId) : undefined
  if (refund === undefined || refundTotal(refund) < amount) return status
  return refund.returned < refundTotal(refund) ? 'refund-due' : 'refunded'
}

/**
 * Returns how the amount of a paid order with units counts: as revenue (`paid`), as `disputed` or lost at the bank, or as
 * `returned` to the shopper. Undefined for any other order. A partial refund makes no difference.
 */
export function moneyState(
  order: Pick<Order, 'status' | 'amount'> & { shown: OrderStatus; dispute?: DisputeState | undefined },
): 'paid' | 'disputed' | 'returned' | undefined {
  if (!isPaid(order)) return undefined
  if (order.shown !== order.status) return 'returned'
  return isContested({ dispute: order.dispute && { state: order.dispute } }) ? 'disputed' : 'paid'
}

export const moneyStateOfOrder = (order: Order) =>
  moneyState({ ...order, shown: shownStatus(order), dispute: order.dispute?.state })
