/**
 * Emulates the part of Stripe that the shop uses: Checkout Sessions, PaymentIntents and refunds, with idempotency keys,
 * and signed events. Answers and events have the fields that an adapter may read, with the types of Stripe's client.
 */
import { createHash, randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { decodeText } from '../../core/lib/json.ts'
import { parse } from '../../core/lib/parse.ts'
import { paymentFacts } from '../../core/orders/payment-event.ts'
import { type HttpAnswer, jsonAnswer } from '../../functions/lib/http/answer.ts'
import type { AuthorisationEnd } from '../../functions/lib/shop/payment-provider.ts'
import type { PaymentLedger, PaymentReport } from '../../functions/orders/payments/payment-ledger.ts'
import type { ProviderRequest } from '../../functions/orders/payments/simulated-api.ts'
import { fromStripe, stripeLimits, toStripe } from '../../functions/orders/payments/stripe-currency.ts'
import type { Message, NewPayment, ProviderPayment } from '../../functions/table/orders/simulated-payments.ts'

const prefix = '/v1/'

export type StripePorts = {
  apiKey: string
  webhookSecret: string
  /** Origin and path prefix of the payment page. */
  shopUrl: string
  pagePrefix: string
  clock: () => number
  ledger: PaymentLedger
  after: (milliseconds: number, task: () => void) => void
  refunds: StripeRefunds
  /** Rate limit of one endpoint; 25 in a new account (https://docs.stripe.com/rate-limits). */
  callsPerSecond: number
}

type Intent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'status' | 'amount' | 'amount_capturable' | 'amount_received' | 'currency' | 'metadata'
>
type Session = Pick<
  Stripe.Checkout.Session,
  'id' | 'object' | 'url' | 'amount_total' | 'currency' | 'metadata' | 'payment_intent'
>
type Refund = Pick<Stripe.Refund, 'id' | 'object' | 'status' | 'amount' | 'currency' | 'metadata' | 'payment_intent'>
type Dispute = Pick<Stripe.Dispute, 'id' | 'object' | 'status' | 'amount' | 'currency' | 'payment_intent'> & {
  balance_transactions: Pick<Stripe.BalanceTransaction, 'amount' | 'currency'>[]
}
type EventBody = Pick<Stripe.Event, 'id' | 'object' | 'type' | 'created'> & {
  data: { object: Intent | Session | Refund | Dispute }
}

const minLifeMs = 30 * 60_000
const maxLifeMs = 24 * 3_600_000

/** Lifetime of an idempotency key. */
const keyLifeMs = 24 * 3_600_000

const states: Readonly<Record<ProviderPayment['state'], Stripe.PaymentIntent.Status>> = {
  open: 'requires_payment_method',
  'on-its-way': 'processing',
  authorised: 'requires_capture',
  captured: 'succeeded',
  released: 'canceled',
  failed: 'canceled',
}

/** The refunds that the shop requested, by id; tests change their status. */
export type StripeRefunds = Map<string, Refund>

/** Payments by the id of their intent. */
type Intents = Map<string, Pick<ProviderPayment, 'orderId' | 'paymentId'>>

export function stripeDialect(ports: StripePorts): Dialect {
  const { apiKey, webhookSecret, clock } = ports
  const { webhooks } = new Stripe('sk_test_local')
  const answers = new Map<string, { request: string; at: number; answer: Promise<HttpAnswer> }>()
  const intents: Intents = new Map()
  const tryCall = createRateLimiter(ports)
  return {
    prefix,
    async answer(request) {
      const { method, path, headers, query } = request
      const body = decodeText(request.body) ?? ''
      if (headers.authorization !== `Bearer ${apiKey}`) return refusal(401, 'api_key_invalid')
      const call = `${method} ${path.slice(prefix.length)}`
      if (!tryCall(call)) {
        const { headers: usual, ...refused } = refusal(429, 'rate_limit')
        return { ...refused, headers: { ...usual, 'stripe-rate-limited-reason': 'endpoint-rate' } }
      }
      const key = keyOf(request)
      const stored = key === undefined ? undefined : answers.get(key)
      const known = stored && clock() - stored.at < keyLifeMs ? stored : undefined
      if (known !== undefined && known.request !== `${call} ${body}`) return refusal(400, 'idempotency_key_in_use')
      const answer =
        known?.answer ?? answerCall(ports, intents, call, method === 'GET' ? query : new URLSearchParams(body))
      if (key !== undefined) answers.set(key, { request: `${call} ${body}`, at: known?.at ?? clock(), answer })
      return answer
    },
    compose(report) {
      const [type, object] = eventOf(report)
      const created = Math.floor(clock() / 1000)
      const event: EventBody = { id: `evt_${plainId()}`, object: 'event', type, created, data: { object } }
      return { id: event.id, body: JSON.stringify(event) }
    },
    sign: ({ body: payload }, now) => {
      const timestamp = Math.floor(now.getTime() / 1000)
      const header = webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp })
      return { 'stripe-signature': header }
    },
  }
}

/** Returns a rate limiter per endpoint; paths that differ only in ids belong to one endpoint. */
function createRateLimiter({ clock, callsPerSecond }: StripePorts): (call: string) => boolean {
  const taken = new Map<string, number[]>()
  return (call) => {
    const endpoint = call.replace(/(?<=\/)\w*(?:_test_|\d)\w*/, ':id')
    const since = clock() - 1000
    const recent = (taken.get(endpoint) ?? []).filter((at) => at > since)
    const isFree = recent.length < callsPerSecond
    taken.set(endpoint, isFree ? [...recent, clock()] : recent)
    return isFree
  }
}

async function answerCall(
  ports: StripePorts,
  intents: Intents,
  call: string,
  form: URLSearchParams,
): Promise<HttpAnswer> {
  const find = async (id: string | null) => {
    const name = intents.get(id ?? '')
    return name && ports.ledger.find(name)
  }
  if (call === 'POST checkout/sessions') return openSession(ports, intents, form)
  const [, session = '', verbOfSession] =
    /^(?:GET|POST) checkout\/sessions\/cs_test_(\w+?)(\/expire)?$/.exec(call) ?? []
  if (verbOfSession !== undefined) return expireSession(ports, await find(session))
  if (session !== '') return answerSession(await find(session))
  if (call === 'GET refunds') return listRefunds(ports, await find(form.get('payment_intent')))
  if (call === 'POST refunds') return refund(ports, await find(form.get('payment_intent')), form)
  const [, method, id = '', verb] = /^(GET|POST) payment_intents\/(\w+)(?:\/(capture|cancel))?$/.exec(call) ?? []
  const payment = await find(id)
  if (payment === undefined) return refusal(404, 'resource_missing')
  if (method === 'POST' && verb === 'capture') return settle(ports, payment, 'captured')
  if (method === 'POST' && verb === 'cancel') return settle(ports, payment, 'released')
  return jsonAnswer(200, intentOf(payment))
}

async function openSession(
  { ledger, shopUrl, pagePrefix, clock, after }: StripePorts,
  intents: Intents,
  form: URLSearchParams,
): Promise<HttpAnswer> {
  const price = 'line_items[0][price_data]'
  // By default an account adds tax to prices.
  const taxFactor = form.get('automatic_tax[enabled]') === 'false' ? 1 : 1.19
  const facts = parse(paymentFacts, {
    orderId: form.get('payment_intent_data[metadata][orderId]'),
    paymentId: form.get('payment_intent_data[metadata][paymentId]'),
    ...fromStripe(
      Math.round(Number(form.get(`${price}[unit_amount]`)) * taxFactor),
      form.get(`${price}[currency]`) ?? '',
    ),
  })
  if (!facts.ok) return refusal(400, `parameter_invalid: ${facts.detail}`)
  const { min, max } = stripeLimits(facts.value.currency)
  if (facts.value.amount < min) return refusal(400, 'amount_too_small')
  if (facts.value.amount > max) return refusal(400, 'amount_too_large')
  if (form.get('payment_intent_data[capture_method]') !== 'manual') return refusal(400, 'capture_method')
  const until = Number(form.get('expires_at')) * 1000
  const lifeMs = until - clock()
  if (!(lifeMs >= minLifeMs && lifeMs <= maxLifeMs)) return refusal(400, 'expires_at')
  const product = form.get(`${price}[product_data][name]`)
  if (product === null) return refusal(400, 'parameter_missing')
  const language = form.get('locale') ?? 'auto'
  const page = { product, ...(language !== 'auto' && { language }) }
  const wanted: NewPayment = { ...facts.value, ...page, until, returnUrl: form.get('success_url') ?? shopUrl }
  const payment = await ledger.open(wanted)
  if (payment === undefined) return refusal(400, 'metadata')
  intents.set(intentId(payment), payment)
  after(lifeMs, () => void ledger.expire(payment))
  const url = new URL(`${pagePrefix}${facts.value.orderId}`, shopUrl).href
  return jsonAnswer(200, { ...sessionOf(payment), url })
}

async function expireSession({ ledger }: StripePorts, payment: ProviderPayment | undefined): Promise<HttpAnswer> {
  if (payment === undefined) return refusal(404, 'resource_missing')
  if (payment.state !== 'open') return refusal(400, 'checkout_session_not_open')
  await ledger.expire(payment)
  return answerSession({ ...payment, state: 'failed' })
}

function answerSession(payment: ProviderPayment | undefined): HttpAnswer {
  if (payment === undefined) return refusal(404, 'resource_missing')
  const status = payment.state === 'open' ? 'open' : payment.state === 'failed' ? 'expired' : 'complete'
  return jsonAnswer(200, { ...sessionOf(payment), status })
}

async function settle(
  { ledger }: StripePorts,
  payment: ProviderPayment,
  wanted: AuthorisationEnd,
): Promise<HttpAnswer> {
  if (payment.state !== 'authorised') return refusal(400, 'payment_intent_unexpected_state')
  await ledger.settle(payment, wanted)
  return jsonAnswer(200, intentOf((await ledger.find(payment)) ?? payment))
}

async function refund(
  { ledger, refunds }: StripePorts,
  payment: ProviderPayment | undefined,
  form: URLSearchParams,
): Promise<HttpAnswer> {
  if (payment === undefined) return refusal(404, 'resource_missing')
  const { amount } = fromStripe(Number(form.get('amount')), payment.currency)
  const refundId = `re_${plainId()}`
  if (!(await ledger.refund({ ...payment, amount }, refundId))) return refusal(400, 'charge_already_refunded')
  const [orderId, paymentId] = [form.get('metadata[orderId]'), form.get('metadata[paymentId]')]
  const metadata: Stripe.Metadata = { ...(orderId && { orderId }), ...(paymentId && { paymentId }) }
  const made = { ...refundOf(payment, refundId, amount), metadata }
  refunds.set(refundId, made)
  return jsonAnswer(200, made)
}

/** Lists refunds of the shop and those made in the dashboard. */
function listRefunds({ refunds }: StripePorts, payment: ProviderPayment | undefined): HttpAnswer {
  if (payment === undefined) return refusal(404, 'resource_missing')
  const intent = intentId(payment)
  const asked = [...refunds.values()].filter(({ payment_intent }) => payment_intent === intent)
  const others = payment.refunds.filter(({ refundId }) => !refunds.has(refundId))
  const data = [...asked, ...others.map((one) => refundOf(payment, one.refundId, one.amount))]
  return jsonAnswer(200, { object: 'list', data, has_more: false, url: '/v1/refunds' })
}

function eventOf(report: PaymentReport): [Stripe.Event.Type, EventBody['data']['object']] {
  const { what, payment } = report
  switch (what) {
    case 'authorised':
      return ['payment_intent.amount_capturable_updated', intentOf(payment)]
    case 'captured':
      return ['payment_intent.succeeded', intentOf(payment)]
    case 'released':
      return ['payment_intent.canceled', intentOf(payment)]
    case 'failed':
      return ['payment_intent.payment_failed', intentOf(payment)]
    case 'expired':
      return ['checkout.session.expired', sessionOf(payment)]
    case 'refunded':
      return ['refund.created', refundOf(payment, report.refundId, report.amount)]
    case 'disputed':
      return ['charge.dispute.created', disputeOf(report, 'needs_response')]
    case 'dispute-prevented':
      return ['charge.dispute.updated', disputeOf(report, 'prevented')]
    case 'dispute-won':
      return ['charge.dispute.closed', disputeOf(report, 'won')]
    case 'dispute-lost':
      return ['charge.dispute.closed', disputeOf(report, 'lost')]
  }
}

function intentOf(payment: ProviderPayment): Intent {
  const { state, paymentId, orderId } = payment
  const { amount, currency } = toStripe(payment)
  return {
    id: intentId(payment),
    object: 'payment_intent',
    status: states[state],
    amount,
    amount_capturable: state === 'authorised' ? amount : 0,
    amount_received: state === 'captured' ? amount : 0,
    currency,
    metadata: { paymentId, orderId },
  }
}

function sessionOf(payment: ProviderPayment): Session {
  const { amount, currency } = toStripe(payment)
  const { paymentId, orderId } = payment
  return {
    id: `cs_test_${intentId(payment)}`,
    object: 'checkout.session',
    url: null,
    amount_total: amount,
    currency,
    metadata: { paymentId, orderId },
    payment_intent: null,
  }
}

/** Returns a refund without metadata, as one made in the dashboard. */
function refundOf(payment: ProviderPayment, id: string, refunded: number): Refund {
  const { amount, currency } = toStripe({ ...payment, amount: refunded })
  const payment_intent = intentId(payment)
  return { id, object: 'refund', status: 'succeeded', amount, currency, metadata: {}, payment_intent }
}

function disputeOf(
  { payment, disputeId: id }: Extract<PaymentReport, { disputeId: string }>,
  status: Stripe.Dispute.Status,
): Dispute {
  const { amount, currency } = toStripe(payment)
  const withdrawn = { amount: -amount, currency }
  const balance_transactions = status === 'won' ? [withdrawn, { amount, currency }] : [withdrawn]
  const payment_intent = intentId(payment)
  return { id, object: 'dispute', status, amount, currency, payment_intent, balance_transactions }
}

const plainId = () => randomUUID().replaceAll('-', '')

function intentId({ paymentId }: ProviderPayment): string {
  return `pi_${createHash('sha256').update(paymentId).digest('hex').slice(0, 24)}`
}

function keyOf({ method, headers }: ProviderRequest): string | undefined {
  return method === 'POST' ? headers['idempotency-key'] : undefined
}

function refusal(status: number, code: string): HttpAnswer {
  return jsonAnswer(status, { error: { type: 'invalid_request_error', code, message: `refused: ${code}` } })
}

/**
 * The protocol of a provider: its API, and the content and signature of its messages. The payments, the shopper's page
 * and the delivery of messages are the same for all providers.
 */
export type Dialect = {
  /** Prefix of all paths of its API. */
  prefix: string
  /** Answers a call of the shop. */
  answer(request: ProviderRequest): Promise<HttpAnswer>
  compose(report: PaymentReport): Message
  sign(message: Message, now: Date): Record<string, string>
}
