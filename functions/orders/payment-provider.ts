/**
 * The port to whoever takes the money. Every call may be repeated: the payment's id makes it one payment.
 *
 * One payment brings its money once, in one amount: whoever pays again gets a new payment id. So refunds are kept by that
 * id, and a second success of a payment is taken for a repeat. Should a provider ever tell another amount under the same
 * id, nothing is booked on its word; it is told as an error with both amounts, and a person has to look.
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
  /** Asks for `amount` of a payment to be sent back: all that is left of it. `refund.succeeded` tells when it was. */
  refund: (refund: RefundWish & { orderId: string }) => Promise<void>
}
