/**
 * Takes payments with Stripe: a Checkout Session on a page of Stripe, so no card data reaches the shop. The capture is
 * manual. `reference` is the id of the PaymentIntent.
 */
import type Stripe from 'stripe'
import { chooseLanguage, type Language } from '../../../core/language.ts'
import type { PaymentMoney } from '../../../core/orders/order-life.ts'
import { orderPath, paidPath } from '../../../core/orders/order-path.ts'
import {
  type AuthorisationEnd,
  type PaymentProvider,
  PaymentProviderFailed,
  type PaymentRequest,
} from '../../lib/shop/payment-provider.ts'
import { callStripe, type StripeAccess, StripeRefused, stripeClient } from './stripe-client.ts'
import { toStripe } from './stripe-currency.ts'

/**
 * Stripe allows a session 30 minutes to 24 hours. A session that opens in the last moment of the order must have 30
 * minutes left, so the page outlives the order; a late authorisation is released.
 */
const minSessionMs = 31 * 60_000
const maxSessionMs = 24 * 3_600_000 - 60_000

/** Stripe forgets an idempotency key after 24 hours at the earliest; its clock and ours may differ. */
const keyLifeMs = 20 * 3_600_000

/**
 * `shopUrl` is the public address of the shop, to which the shopper returns.
 * @throws Error when `apiKey` cannot be sent in a header
 */
export function stripePayments(access: StripeAccess, shopUrl: string): PaymentProvider {
  const stripe = stripeClient(access)

  /**
   * Captures or cancels the payment. A repeat after a lost answer finds the intent in its last state, so it needs no
   * idempotency key. With a key, Stripe would repeat its own errors for a day.
   */
  async function settle({ paymentId, reference }: PaymentMoney, verb: 'capture' | 'cancel'): Promise<AuthorisationEnd> {
    const id = requireReference(reference, paymentId)
    try {
      return authorisationEndOf(await callStripe(`${verb} the payment`, () => stripe.paymentIntents[verb](id)))
    } catch (error) {
      if (!(error instanceof StripeRefused) || error.code !== 'payment_intent_unexpected_state') throw error
      return authorisationEndOf(await callStripe('find the payment', () => stripe.paymentIntents.retrieve(id)))
    }
  }

  /**
   * True when Stripe has a refund that the shop requested. A refund is for the whole rest of its payment, so one of any
   * amount is enough. Refunds of the dashboard lack the shop's metadata.
   * @throws PaymentProviderFailed for a failed refund: Stripe reports it, and a second one could pay twice
   */
  async function isRefunded(payment_intent: string, paymentId: string): Promise<boolean> {
    const search = () => stripe.refunds.list({ payment_intent, limit: 100 }).autoPagingToArray({ limit: 1000 })
    const all = await callStripe('find the refund', search)
    const ours = all.filter(({ metadata, status }) => {
      return metadata?.paymentId === paymentId && status !== 'canceled'
    })
    if (ours.some(({ status }) => status === 'failed'))
      throw new PaymentProviderFailed(`the refund of ${paymentId} has failed at Stripe`)
    return ours.length > 0
  }

  /** Opens a session; a repeat returns the same session. */
  function open(request: PaymentRequest): Promise<Stripe.Checkout.Session> {
    const options = { idempotencyKey: `start:${request.paymentId}` }
    const session = sessionOf(request, shopUrl)
    return callStripe('open the page', () => stripe.checkout.sessions.create(session, options))
  }

  return {
    async start(request) {
      const { url } = await open(request)
      if (url === null) throw new PaymentProviderFailed('Stripe answered with a page without an address')
      return { url }
    },
    async withdraw(request) {
      // The session's id is not stored: opening the session again returns it.
      const { id } = await open(request)
      try {
        await callStripe('close the page', () => stripe.checkout.sessions.expire(id))
      } catch (error) {
        if (!(error instanceof StripeRefused)) throw error
        // A paid or expired page is already closed.
        const { status } = await callStripe('find the page', () => stripe.checkout.sessions.retrieve(id))
        if (status === 'open') throw error
      }
    },
    capture: (authorised) => settle(authorised, 'capture'),
    release: (authorised) => settle(authorised, 'cancel'),
    async refund({ paymentId, orderId, reference, requestedAt, ...money }) {
      const { amount } = toStripe(money)
      const intent = requireReference(reference, paymentId)
      const isOld = requestedAt !== undefined && Date.now() - requestedAt >= keyLifeMs
      if (isOld && (await isRefunded(intent, paymentId))) return
      const refund = { payment_intent: intent, amount, metadata: { orderId, paymentId } }
      const options = { idempotencyKey: `refund:${paymentId}:${amount}` }
      await callStripe('refund the payment', () => stripe.refunds.create(refund, options))
    },
  }
}

/** Returns the body for `request`, the same for every repeat, as Stripe requires with an idempotency key. */
function sessionOf(request: PaymentRequest, shopUrl: string): Stripe.Checkout.SessionCreateParams {
  const { paymentId, orderId, product, language, startedAt, until } = request
  const { amount, currency } = toStripe(request)
  const metadata = { orderId, paymentId }
  const endsAt = Math.min(until + minSessionMs, startedAt + maxSessionMs)
  return {
    mode: 'payment',
    client_reference_id: orderId,
    metadata,
    locale: stripeLocale(language),
    // Prices include tax. The account's default may add tax, and then no order has that amount.
    automatic_tax: { enabled: false },
    payment_intent_data: { capture_method: 'manual', metadata },
    line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: product } } }],
    expires_at: Math.floor(endsAt / 1000),
    success_url: new URL(paidPath(orderId), shopUrl).href,
    cancel_url: new URL(orderPath(orderId), shopUrl).href,
  }
}

/** The languages of Stripe's pages, first the one of the browser (https://docs.stripe.com/js/appendix/supported_locales). */
const stripeLocales =
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'

/** Returns the locale of Stripe's page: the shopper's language if Stripe supports it, the browser's otherwise. */
const stripeLocale = (language: Language = ''): Language => chooseLanguage(null, [language], stripeLocales.split(' '))

function authorisationEndOf({ status }: Stripe.PaymentIntent): AuthorisationEnd {
  if (status === 'succeeded') return 'captured'
  if (status === 'canceled') return 'released'
  throw new PaymentProviderFailed(`the payment is ${status} at Stripe`)
}

function requireReference(reference: string | undefined, paymentId: string): string {
  if (reference === undefined) throw new PaymentProviderFailed(`${paymentId} has no payment at Stripe`)
  return reference
}
