/** The refunds that an order lists, at most one for each of its payments. */
import type { Order, OrderRefund } from './order.ts'

type Refunded = Pick<Order, 'refunds'>

export function refundOf({ refunds }: Refunded, paymentId: string): OrderRefund | undefined {
  return refunds?.find((refund) => refund.paymentId === paymentId)
}

/** All that goes back by this refund: what is owed, or more that the provider returned on its own. */
export function refundTotal({ amount, returned }: Pick<OrderRefund, 'amount' | 'returned'>): number {
  return Math.max(amount, returned)
}

/**
 * What can still go back of the payment `paymentId`, which brought the amount of the order: less what
 * the provider returned on its own, and nothing once its refund is owed.
 */
export function refundable(order: Pick<Order, 'amount' | 'refunds'>, paymentId: string): number {
  const { amount: owed, returned } = refundOf(order, paymentId) ?? { amount: 0, returned: 0 }
  return owed > 0 ? 0 : order.amount - returned
}

/**
 * The list with `refund` in the place of the one of the same payment. A refund of nothing is left
 * out.
 */
export function withRefund({ refunds = [] }: Refunded, refund: OrderRefund): Refunded {
  const others = refunds.filter(({ paymentId }) => paymentId !== refund.paymentId)
  const isNothing = refund.amount === 0 && refund.returned === 0
  return isNothing && others.length === refunds.length
    ? {}
    : { refunds: isNothing ? others : [...others, refund] }
}

/**
 * Refunds that were owed in `from` already and of which more has gone back in `to`; `left` is what
 * is still owed.
 */
export function refundProgress(from: Refunded, to: Refunded): { paymentId: string; left: number }[] {
  return (to.refunds ?? []).flatMap(({ paymentId, amount, returned }) => {
    const before = refundOf(from, paymentId)
    const hasGrown = before !== undefined && before.amount > 0 && returned !== before.returned
    return hasGrown ? [{ paymentId, left: amount - returned }] : []
  })
}
