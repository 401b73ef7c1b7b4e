/**
 * Reads Stripe's webhooks. A refund or dispute that was created in Stripe's dashboard names no order, so its payment is
 * read, which does. Payments of other shops are ignored.
 */
import { hash } from 'node:crypto'
import Stripe from 'stripe'
import { parse } from '../../../core/lib/parse.ts'
import type { Money } from '../../../core/money.ts'
import { eventFacts, type PaymentEvent } from '../../../core/orders/payment-event.ts'
import type { PaymentWebhooks, WebhookMessage } from './payment-webhooks.ts'
import { callStripe, type StripeAccess, stripeClient } from './stripe-client.ts'
import { fromStripe } from './stripe-currency.ts'

const toleranceSeconds = 300

/** A time in seconds, and hexadecimal signatures of the current, test or future schemes. */
const headerPattern = /^t=(?<time>[0-9]{1,12})(?:,v[0-9]+=[0-9a-f]{64})+$/

/** True for one or more secrets such as `whsec_…`, with spaces between them. */
export function isStripeSecretList(text: string): boolean {
  return text.split(' ').every((secret) => /^whsec_[A-Za-z0-9+/=]{16,128}$/.test(secret))
}

/** The facts of an event before its order is known. `id` is the same in every report of the event. */
type Facts = {
  id: string
  type: PaymentEvent['type']
  money: Money
  metadata: Stripe.Metadata | null
  intent: string | Stripe.PaymentIntent | null
  disputeId?: string
}

/** Reads webhooks. `secrets` is a list that `isStripeSecretList` accepts: the newest first, with the former in a rotation. */
export function stripeWebhooks({ secrets, ...access }: StripeAccess & { secrets: string }): PaymentWebhooks {
  const stripe = stripeClient(access)

  async function metadataOf({ metadata, intent }: Facts): Promise<Stripe.Metadata | null> {
    if (metadata?.paymentId !== undefined || intent === null) return metadata
    if (typeof intent !== 'string') return intent.metadata
    const found = await callStripe('find the payment', () => stripe.paymentIntents.retrieve(intent))
    return found.metadata
  }

  return {
    async read(message) {
      const signed = await verifyEvent(stripe, secrets.split(' '), message)
      if (typeof signed === 'string') return { kind: 'unsigned', fault: signed }
      const facts = factsOf(signed)
      if (facts === undefined) return { kind: 'ignored' }
      const { paymentId, orderId } = (await metadataOf(facts)) ?? {}
      if (paymentId === undefined || orderId === undefined) return { kind: 'ignored' }
      const reference = typeof facts.intent === 'string' ? facts.intent : facts.intent?.id
      const { money, disputeId } = facts
      const ids = { paymentId, orderId, ...(reference && { reference }), ...(disputeId && { disputeId }) }
      const data = parse(eventFacts, { ...ids, ...money })
      if (!data.ok) return { kind: 'malformed', field: data.field, detail: data.detail }
      const event = { type: facts.type, data: data.value }
      const digest = hash('sha256', JSON.stringify(event), 'hex')
      return { kind: 'event', event, eventId: facts.id, digest }
    },
  }
}

/** Resolves with the event, or with what is wrong with its signature under every secret. */
async function verifyEvent(
  stripe: Stripe,
  secrets: readonly string[],
  { headers, body }: WebhookMessage,
): Promise<Stripe.Event | string> {
  const header = headers['stripe-signature']
  if (header === undefined) return 'the header stripe-signature is missing'
  // The library throws another kind of error for an empty signature, and accepts any future time.
  const time = headerPattern.exec(header)?.groups?.time
  if (time === undefined) return 'the header stripe-signature is malformed'
  if (Number(time) > Date.now() / 1000 + toleranceSeconds) return 'it is dated more than five minutes ahead'
  for (const secret of secrets) {
    try {
      return await stripe.webhooks.constructEventAsync(body, header, secret, toleranceSeconds)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    }
  }
  return 'no secret of ours signed it within the last five minutes'
}

/** Returns undefined for an event that changes nothing here. */
function factsOf(event: Stripe.Event): Facts | undefined {
  const { id } = event
  switch (event.type) {
    case 'payment_intent.amount_capturable_updated': {
      const intent = event.data.object
      const isOpen = intent.status === 'requires_capture'
      return isOpen ? intentFacts(id, 'payment.authorised', intent, intent.amount_capturable) : undefined
    }
    case 'payment_intent.succeeded':
      return intentFacts(id, 'payment.succeeded', event.data.object, event.data.object.amount_received)
    case 'payment_intent.canceled':
      return intentFacts(id, 'payment.failed', event.data.object, event.data.object.amount)
    case 'checkout.session.expired': {
      const { metadata, payment_intent, amount_total, currency } = event.data.object
      const money = fromStripe(amount_total ?? 0, currency ?? '')
      return { id, type: 'payment.failed', money, metadata, intent: payment_intent }
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return refundFacts(event.data.object)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return disputeFacts(id, event.data.object, event.type === 'charge.dispute.closed')
  }
  return undefined
}

/** Every event contains the whole dispute at that time. Its metadata is not ours, so `metadataOf` reads the payment's. */
function disputeFacts(id: string, dispute: Stripe.Dispute, isClosed: boolean): Facts {
  const { id: disputeId, amount, currency, payment_intent: intent } = dispute
  const type = disputeEventOf(dispute, isClosed)
  const lost = -balanceOf(dispute)
  // The shop's account may be in another currency than the payment.
  const isExact = type === 'dispute.lost' && lost > 0 && dispute.balance_transactions[0]?.currency === currency
  return { id, type, money: fromStripe(isExact ? lost : amount, currency), metadata: null, intent, disputeId }
}

/**
 * Returns the type of a dispute's event. A closed inquiry or a prevented dispute may or may not have returned the money:
 * the transfers on the shop's account decide. The money of a won dispute is reinstated later.
 */
function disputeEventOf(dispute: Stripe.Dispute, isClosed: boolean): Facts['type'] {
  const { status } = dispute
  if (status === 'won') return 'dispute.won'
  if (status === 'lost') return 'dispute.lost'
  if (!isClosed && status !== 'warning_closed' && status !== 'prevented') return 'payment.disputed'
  return balanceOf(dispute) < 0 ? 'dispute.lost' : 'dispute.won'
}

/** Adds up the dispute's transfers to the shop's account without fees; negative when money was withdrawn. */
const balanceOf = ({ balance_transactions: all }: Stripe.Dispute) => all.reduce((sum, { amount }) => sum + amount, 0)

function intentFacts(id: string, type: Facts['type'], intent: Stripe.PaymentIntent, amount: number): Facts {
  const { metadata, currency } = intent
  return { id, type, money: fromStripe(amount, currency), metadata, intent }
}

/** Several events report one refund. Its success and its failure each count once, by an id of the refund. */
function refundFacts({ id, status, amount, currency, metadata, payment_intent }: Stripe.Refund): Facts | undefined {
  const money = fromStripe(amount, currency)
  const facts = { money, metadata, intent: payment_intent }
  if (status === 'succeeded') return { ...facts, id, type: 'refund.succeeded' }
  return status === 'failed' ? { ...facts, id: `${id}:failed`, type: 'refund.failed' } : undefined
}
