/** Where an order stands for its shopper: its status, and while it waits for money, how the paying goes. */
import type { OrderStatus, OrderView } from '../../../core/order.ts'

/**
 * `to-pay`: nothing was tried yet. `paying`: a payment is on its way; `overtime`: it still is, and the time to pay is
 * over. `pay-again`: a payment failed, and there is time for another. `late`: the time is over and nobody is paying.
 */
export type OrderStage =
  | Exclude<OrderStatus, 'awaiting-payment'>
  | 'to-pay'
  | 'paying'
  | 'overtime'
  | 'pay-again'
  | 'late'

/** The stage of an order at `now` (epoch ms, the shop's clock). */
export function stageOf(order: Pick<OrderView, 'status' | 'payment' | 'payBy'>, now: number): OrderStage {
  const { status, payment, payBy } = order
  if (status !== 'awaiting-payment') return status
  const over = payBy !== null && now >= payBy
  if (payment === 'started') return over ? 'overtime' : 'paying'
  if (over) return 'late'
  return payment === 'failed' ? 'pay-again' : 'to-pay'
}

const payable: readonly OrderStage[] = ['to-pay', 'paying', 'overtime', 'pay-again']

/** Whether the shopper can still pay the order, and as long give it back. */
export function isPayable(stage: OrderStage): boolean {
  return payable.includes(stage)
}
