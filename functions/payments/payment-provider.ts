/**
 * The port to the payment provider. Every call can be repeated: the payment's id makes it one
 * payment.
 *
 * One payment brings its money once, in one amount: a shopper who pays again gets a new payment id.
 * So refunds are stored by that id, and a second success of a payment is treated as a repeat. If a
 * provider reports another amount under the same id, nothing is booked; an error with both amounts
 * is logged for an operator.
 */
import type { RefundWish } from '../../core/order-life.ts'

/** `until` is when the shop stops waiting for this payment, epoch ms. */
export type PaymentRequest = {
  paymentId: string
  orderId: string
  amount: number
  currency: string
  until: number
}

/** All throw when the provider cannot be reached or refuses. */
export type PaymentProvider = {
  /** Opens the payment, or finds it again; `url` is the page on which the shopper pays. */
  start: (request: PaymentRequest) => Promise<{ url: string }>
  /**
   * Requests a refund of `amount`, all that is left of the payment. `refund.succeeded` confirms it.
   */
  refund: (refund: RefundWish & { orderId: string }) => Promise<void>
}
