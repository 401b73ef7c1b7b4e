/** Reads and updates the refunds of an order, at most one for each of its payments. */
import { disputeOf, isContested, type Order, type OrderRefund } from './order.ts'

type Refunded = Pick<Order, 'refunds'>

export function refundOf({ refunds }: Refunded, paymentId: string): OrderRefund | undefined {
  return refunds?.find((refund) => refund.paymentId === paymentId)
}

/** Returns the total of a refund: the amount owed, or more if the provider has returned more by itself. */
export function refundTotal({ amount, returned }: Pick<OrderRefund, 'amount' | 'returned'>): number {
  return Math.max(amount, returned)
}

type RefundSums = Pick<OrderRefund, 'amount' | 'returned' | 'currency'>

/** Returns the sum over the refunds in the order's currency; undefined without one. */
export function refundSum(
  { refunds = [], currency }: { refunds?: readonly RefundSums[]; currency: string },
  of: (refund: RefundSums) => number,
): number | undefined {
  const own = refunds.filter((refund) => refund.currency === currency)
  return own.length === 0 ? undefined : own.reduce((sum, refund) => sum + of(refund), 0)
}

/**
 * Returns how much of the payment `paymentId`, which paid the order, can still be refunded: the amount without what the
 * provider has returned by itself, or 0 once a refund is owed.
 */
export function refundable(order: Pick<Order, 'amount' | 'refunds'>, paymentId: string): number {
  const { amount: owed, returned } = refundOf(order, paymentId) ?? { amount: 0, returned: 0 }
  return owed > 0 ? 0 : order.amount - returned
}

/** Returns the list with `refund` in place of that of the same payment. Drops a refund of 0 that did not fail. */
export function withRefund({ refunds = [] }: Refunded, refund: OrderRefund): Refunded {
  const others = refunds.filter(({ paymentId }) => paymentId !== refund.paymentId)
  const isEmpty = refund.amount === 0 && refund.returned === 0 && refund.failedAt === undefined
  return isEmpty && others.length === refunds.length ? {} : { refunds: isEmpty ? others : [...others, refund] }
}

/** `left` is the amount that a refund still owes. `isStopped`: the bank returned it, or its payment is disputed. */
export type RefundProgress = { paymentId: string; left: number; isStopped?: boolean }

/** Returns the refunds owed in `from` that progressed, stopped or resumed in `to`. */
export function refundProgress(from: Disputable, to: Disputable): RefundProgress[] {
  return (to.refunds ?? []).flatMap((refund) => {
    const { paymentId, amount, returned, failedAt } = refund
    const before = refundOf(from, paymentId)
    if (before === undefined || before.amount === 0) return []
    const isStopped = isStoppedIn(to, refund)
    const hasGrown = returned !== before.returned
    // A complete refund has no request to stop.
    const hasStopChanged = isStopped !== isStoppedIn(from, before) || failedAt !== before.failedAt
    const progress = { paymentId, left: amount - returned, isStopped }
    return hasGrown || (hasStopChanged && returned < amount) ? [progress] : []
  })
}

type Disputable = Pick<Order, 'refunds' | 'dispute' | 'otherDisputes'>

function isStoppedIn(order: Disputable, { paymentId, failedAt }: OrderRefund): boolean {
  return failedAt !== undefined || isDisputed(order, paymentId)
}

/** True while the bank may return the money of that payment, or has returned it: the shop must not refund it too. */
export function isDisputed(order: Pick<Order, 'dispute' | 'otherDisputes'>, paymentId: string): boolean {
  return isContested({ dispute: disputeOf(order, paymentId) })
}

/** Returns the refunds that the bank returned and that no person has settled. */
export function failedRefunds({ refunds = [] }: Refunded): OrderRefund[] {
  return refunds.filter(({ failedAt }) => failedAt !== undefined)
}
