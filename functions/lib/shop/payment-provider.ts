/**
 * The port to the payment provider. Every call is idempotent by the payment's id.
 *
 * One payment brings its money once, in one amount; a shopper who pays again gets a new payment id. So refunds are stored
 * by that id, and a second success of a payment counts as a repeat. When a provider reports another amount under the same
 * id, nothing is booked, and an error with both amounts is logged for an operator.
 */
import type { Language } from '../../../core/language.ts'
import type { Order, Payment } from '../../../core/orders/order.ts'
import type { PaymentMoney } from '../../../core/orders/order-life.ts'

/** The amounts that the provider charges in a currency, in minor units: multiples of `step` from `min` to `max`. */
export type ChargeLimits = { step: number; min: number; max: number }

/**
 * `product` is the text on the payment page, in the shopper's `language`. The attempt began at `startedAt`, and the shop
 * stops waiting for it at `until`, epoch ms. All fields are the same for every repeat.
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

/** Returns the request of an attempt to pay an order; an attempt without a product names the order. */
export function toPaymentRequest({ orderId, amount, currency, cancelAt }: Order, payment: Payment): PaymentRequest {
  const { paymentId, startedAt, product = orderId, language } = payment
  const page = { product, ...(language !== undefined && { language }) }
  return { paymentId, orderId, amount, currency, ...page, startedAt, until: cancelAt }
}

type OrderMoney = PaymentMoney & { orderId: string }

/** How an authorisation ended at the provider: the shopper was charged, or never will be. */
export type AuthorisationEnd = 'captured' | 'released'

/** Every call throws when the provider cannot be reached or refuses. */
export type PaymentProvider = {
  /** Opens the payment, or finds it again; `url` is the page on which the shopper pays. */
  start: (request: PaymentRequest) => Promise<{ url: string }>
  /** Closes the page of a payment that the shop no longer waits for. Money that is already authorised stays authorised. */
  withdraw: (request: PaymentRequest) => Promise<void>
  /** Captures authorised money; resolves with `released` when the authorisation ended without it. */
  capture: (authorised: OrderMoney) => Promise<AuthorisationEnd>
  /** Voids the authorisation; resolves with `captured` when the money was captured before. */
  release: (authorised: OrderMoney) => Promise<AuthorisationEnd>
  /**
   * Requests a refund of `amount`, the rest of the payment. `refund.succeeded` confirms it. `requestedAt` is when it
   * became due, epoch ms; the first request has none.
   */
  refund: (refund: OrderMoney & { requestedAt?: number }) => Promise<void>
}

/** No answer, or an unexpected one. Never contains the key, the request or the response. */
export class PaymentProviderFailed extends Error {
  override name = 'PaymentProviderFailed'
}

/** The provider's rate limit was exceeded; it did nothing. */
export class PaymentProviderBusy extends PaymentProviderFailed {
  override name = 'PaymentProviderBusy'
}
