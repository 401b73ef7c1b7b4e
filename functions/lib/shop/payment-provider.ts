/**
 * The port to the payment provider. Every call can be repeated: the payment's id makes it one payment.
 *
 * One payment brings its money once, in one amount: a shopper who pays again gets a new payment id. So refunds are
 * stored by that id, and a second success of a payment is treated as a repeat. If a provider reports another amount
 * under the same id, nothing is booked; an error with both amounts is logged for an operator.
 */
import type { Language } from '../../../core/language.ts'
import type { Order, Payment } from '../../../core/orders/order.ts'
import type { PaymentMoney } from '../../../core/orders/order-life.ts'

/** What the provider charges in a currency, in its minor units: multiples of `step`, from `least` to `most`. */
export type ChargeLimits = { step: number; min: number; max: number }

/**
 * `product` is what the page says is paid for, in the shopper's `language`. `startedAt` and `until` are when the
 * attempt began and when the shop stops waiting for it, epoch ms. All are the same for every repeat.
 */
export type PaymentRequest = {
  paymentId: string
  orderId: string
  amount: number
  currency: string
  product: string
  language?: Language
  startedAt: number
  until: number
}

/** The request of an attempt to pay an order; an attempt without a product names the order. */
export function toPaymentRequest({ orderId, amount, currency, cancelAt }: Order, payment: Payment): PaymentRequest {
  const { paymentId, startedAt, product = orderId, language } = payment
  const page = { product, ...(language !== undefined && { language }) }
  return { paymentId, orderId, amount, currency, ...page, startedAt, until: cancelAt }
}

type OrderMoney = PaymentMoney & { orderId: string }

/** How an authorisation ended at the provider: the shopper was charged, or never will be. */
export type AuthorisationEnd = 'captured' | 'released'

/** All throw when the provider cannot be reached or refuses. */
export type PaymentProvider = {
  /** Opens the payment, or finds it again; `url` is the page on which the shopper pays. */
  start: (request: PaymentRequest) => Promise<{ url: string }>
  /** Closes the page of a payment that the shop no longer waits for; money that was authorised before stays so. */
  withdraw: (request: PaymentRequest) => Promise<void>
  /** Takes authorised money; the answer is `released` when the authorisation has ended without it. */
  capture: (authorised: OrderMoney) => Promise<AuthorisationEnd>
  /** Gives authorised money up; the answer is `captured` when it was taken before. */
  release: (authorised: OrderMoney) => Promise<AuthorisationEnd>
  /**
   * Requests a refund of `amount`, all that is left of the payment. `refund.succeeded` confirms it.
   * `requestedAt` is when it fell due, epoch ms; the first request has none.
   */
  refund: (refund: OrderMoney & { requestedAt?: number }) => Promise<void>
}

/** No answer, or an unexpected one. Never contains the key, the request or the response. */
export class PaymentProviderFailed extends Error {
  override name = 'PaymentProviderFailed'
}

/** The provider was asked more often than it allows; it has done nothing. */
export class PaymentProviderBusy extends PaymentProviderFailed {
  override name = 'PaymentProviderBusy'
}
