/** The stage of an order for its shopper, from its status, the state of its payment and the validity of its coupons. */
import type { OrderView } from '../api/shop.ts'
import type { OrderStatus } from './order.ts'

/**
 * `to-pay`: no payment was started. `paying`: a payment was started, whose result is unknown. `overtime`: likewise, but the
 * time to pay is over. `cancelled-paying`: cancelled while paying; money that still arrives is refunded. `pay-again`: a
 * payment failed, and there is time for another. `late`: the time is over and no payment is under way. `expired`: the
 * coupons can no longer be redeemed. `checking` is for pages only (`stageShown`).
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

/** Returns the stage to show. A shopper who `isBack` from paying sees `checking` until the result is known. */
export function stageShown(stage: OrderStage, isBack: boolean): OrderStage {
  return isBack && (stage === 'paying' || stage === 'overtime') ? 'checking' : stage
}

const payable: readonly OrderStage[] = ['to-pay', 'paying', 'overtime', 'pay-again']

/** True when the shopper can still pay or cancel the order. */
export function isPayable(stage: OrderStage): boolean {
  return payable.includes(stage)
}
