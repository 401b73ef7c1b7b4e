/** Where an order stands for its shopper: its status, how the paying goes, and whether its coupons are still good. */
import type { OrderView } from '../api/shop.ts'
import type { OrderStatus } from './order.ts'

/**
 * `to-pay`: nothing was tried yet. `paying`: a payment was started, and may be on its way or not;
 * `overtime`: so it was, and the time to pay is over. `cancelled-paying`: cancelled meanwhile; its
 * money may still come, and goes back then. `pay-again`: a payment failed, and there is time for
 * another. `late`: the time is over and no payment is under way. `expired`: the shopper has the coupons,
 * and they can no longer be redeemed. `checking` is for pages alone (`stageShown`).
 */
export type OrderStage =
  | Exclude<OrderStatus, 'awaiting-payment'>
  | 'to-pay'
  | 'paying'
  | 'overtime'
  | 'cancelled-paying'
  | 'pay-again'
  | 'late'
  | 'expired'
  | 'checking'

/** Returns the stage of an order at `now` (epoch ms, the shop's clock). */
export function stageOf(
  order: Pick<OrderView, 'status' | 'refund' | 'payment' | 'payBy' | 'validUntil'>,
  now: number,
): OrderStage {
  const { status, refund, payment, payBy, validUntil } = order
  if (refund !== undefined) return refund
  if (status === 'fulfilled' && validUntil !== undefined && now >= validUntil) return 'expired'
  if (status === 'cancelled' && payment === 'started') return 'cancelled-paying'
  if (status !== 'awaiting-payment') return status
  const over = payBy !== null && now >= payBy
  if (payment === 'started') return over ? 'overtime' : 'paying'
  if (over) return 'late'
  return payment === 'failed' ? 'pay-again' : 'to-pay'
}

/** Returns the stage that the page shows: a shopper who `isBack` from the payment learns its result before anything else is offered. */
export function stageShown(stage: OrderStage, isBack: boolean): OrderStage {
  return isBack && (stage === 'paying' || stage === 'overtime') ? 'checking' : stage
}

const payable: readonly OrderStage[] = ['to-pay', 'paying', 'overtime', 'pay-again']

/** True when the shopper can still pay the order, and as long give it back. */
export function isPayable(stage: OrderStage): boolean {
  return payable.includes(stage)
}
