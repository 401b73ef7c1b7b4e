/**
 * The port to the payment provider. Every call may be repeated: the payment's id makes it one
 * payment.
 *
 * A payment id brings money once, in one amount: another attempt gets another id. So refunds are
 * kept by that id, and a second success is a repeat. If a provider ever reports another amount
 * under the same id, nothing is booked; it is logged as an error with both amounts, for a person to
 * look at.
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
   * Asks the provider to refund `amount`, all that is left of the payment. `refund.succeeded`
   * reports when it was sent.
   */
  refund: (refund: RefundWish & { orderId: string }) => Promise<void>
}
