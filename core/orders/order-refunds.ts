/** The refunds that an order lists, at most one for each of its payments. */
import { disputeOf, isContested, type Order, type OrderRefund } from './order.ts'

type Refunded = Pick<Order, 'refunds'>

export function refundOf({ refunds }: Refunded, paymentId: string): OrderRefund | undefined {
  return refunds?.find((refund) => refund.paymentId === paymentId)
}

/** Returns all that goes back by this refund: what is owed, or more that the provider returned on its own. */
export function refundTotal({ amount, returned }: Pick<OrderRefund, 'amount' | 'returned'>): number {
  return Math.max(amount, returned)
}

type RefundSums = Pick<OrderRefund, 'amount' | 'returned' | 'currency'>

/** Returns the sum over refunds of payments in the order's currency; undefined without one. */
export function refundSum(
  { refunds = [], currency }: { refunds?: readonly RefundSums[]; currency: string },
  of: (refund: RefundSums) => number,
): number | undefined {
  const own = refunds.filter((refund) => refund.currency === currency)
  return own.length === 0 ? undefined : own.reduce((sum, refund) => sum + of(refund), 0)
}

/**
 * What can still go back of the payment `paymentId`, which brought the amount of the order: less what
 * the provider returned on its own, and nothing once its refund is owed.
 */
export function refundable(order: Pick<Order, 'amount' | 'refunds'>, paymentId: string): number {
  const { amount: owed, returned } = refundOf(order, paymentId) ?? { amount: 0, returned: 0 }
  return owed > 0 ? 0 : order.amount - returned
}

/** Returns the list with `refund` in the place of the one of the same payment. A refund of nothing that did not fail is left out. */
export function withRefund({ refunds = [] }: Refunded, refund: OrderRefund): Refunded {
  const others = refunds.filter(({ paymentId }) => paymentId !== refund.paymentId)
  const isEmpty = refund.amount === 0 && refund.returned === 0 && refund.failedAt === undefined
  return isEmpty && others.length === refunds.length ? {} : { refunds: isEmpty ? others : [...others, refund] }
}

/** The rest that a refund owes; `isStopped`: the bank returned it, or its payment is disputed. */
export type RefundProgress = { paymentId: string; left: number; isStopped?: boolean }

/** Refunds owed in `from` of which more has gone back in `to`, or that were stopped or allowed again. */
export function refundProgress(from: Disputable, to: Disputable): RefundProgress[] {
  return (to.refunds ?? []).flatMap((refund) => {
    const { paymentId, amount, returned, failedAt } = refund
    const before = refundOf(from, paymentId)
    if (before === undefined || before.amount === 0) return []
    const isStopped = isStoppedIn(to, refund)
    const hasGrown = returned !== before.returned
    // A refund without a rest has no request to stop.
    const hasStopChanged = isStopped !== isStoppedIn(from, before) || failedAt !== before.failedAt
    const progress = { paymentId, left: amount - returned, isStopped }
    return hasGrown || (hasStopChanged && returned < amount) ? [progress] : []
  })
}

type Disputable = Pick<Order, 'refunds' | 'dispute' | 'otherDisputes'>

function isStoppedIn(order: Disputable, { paymentId, failedAt }: OrderRefund): boolean {
  return failedAt !== undefined || isDisputed(order, paymentId)
}

/** True while the bank may give the money of that payment back, or has done so: the shop does not send it back too. */
export function isDisputed(order: Pick<Order, 'dispute' | 'otherDisputes'>, paymentId: string): boolean {
  return isContested({ dispute: disputeOf(order, paymentId) })
}

/** Returns the refunds that the bank returned and that no person has settled. */
export function failedRefunds({ refunds = [] }: Refunded): OrderRefund[] {
  return refunds.filter(({ failedAt }) => failedAt !== undefined)
}
