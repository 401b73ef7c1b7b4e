/** Serves the API of the simulated provider: five idempotent calls, and messages in the form of Standard Webhooks. */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod/mini'
import { ownValue } from '../../../core/lib/own-value.ts'
import { type Parsed, readJson, whole } from '../../../core/lib/parse.ts'
import { languageTag } from '../../../core/lib/text.ts'
import { paidPath } from '../../../core/orders/order-path.ts'
import { type PaymentEvent, paymentFacts } from '../../../core/orders/payment-event.ts'
import { problem } from '../../../core/outcome.ts'
import { type HttpAnswer, invalid, jsonAnswer, problemAnswer } from '../../lib/http/answer.ts'
import type { AuthorisationEnd } from '../../lib/shop/payment-provider.ts'
import type { Message, PaymentFacts } from '../../table/orders/simulated-payments.ts'
import { type PaymentLedger, type PaymentReport, paidOf } from './payment-ledger.ts'

/** A request to the provider. Header names are lower case. */
export type ProviderRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string | undefined>>
  body: Uint8Array
}

/** `prefix` starts the paths of the API, `pagePrefix` those of the shopper's pages. */
export type SimulatedApiPorts = {
  apiKey: string
  ledger: PaymentLedger
  prefix: string
  pagePrefix: string
  clock: () => number
}

const newPayment = z.extend(paymentFacts, {
  product: z.string('must be a string'),
  language: z.optional(languageTag()),
  until: whole(0, Number.MAX_SAFE_INTEGER),
})

const apiBodyLimitBytes = 2048

const calls: Readonly<Record<string, (ports: SimulatedApiPorts, body: Uint8Array) => Promise<HttpAnswer>>> = {
  payments: ({ ledger, pagePrefix }, body) =>
    answerWith(readJson(newPayment, body), async (payment) => {
      const { orderId } = payment
      const opened = await ledger.open({ ...payment, returnUrl: paidPath(orderId) })
      return opened === undefined
        ? problemAnswer(problem('conflict', 'Another payment has that id.', { field: 'paymentId' }))
        : jsonAnswer(200, { url: `${pagePrefix}${orderId}` })
    }),
  withdrawals: ({ ledger }, body) =>
    answerWith(readJson(paymentFacts, body), async (facts) => {
      await ledger.expire(facts)
      return jsonAnswer(202, {})
    }),
  captures: ({ ledger }, body) => settle(ledger, body, 'captured'),
  releases: ({ ledger }, body) => settle(ledger, body, 'released'),
  // The shop requests each amount of a payment once.
  refunds: ({ ledger }, body) =>
    answerWith(readJson(paymentFacts, body), async (facts) =>
      (await ledger.refund(facts, `${facts.paymentId}:${facts.amount}`))
        ? jsonAnswer(202, {})
        : problemAnswer(problem('conflict', 'That is more than is left of the payment.')),
    ),
}

/** Answers a call of the shop. */
export async function answerSimulatedApi(
  ports: SimulatedApiPorts,
  { method, path, headers, body }: ProviderRequest,
): Promise<HttpAnswer> {
  if (!isShop(headers.authorization, ports.apiKey)) {
    return problemAnswer(problem('sign-in-required', 'Send the API key as bearer token.'))
  }
  const call = ownValue(calls, path.slice(ports.prefix.length))
  if (call === undefined) return problemAnswer(problem('not-found', 'The payment provider has no such address.'))
  if (method !== 'POST') return problemAnswer(problem('method-not-allowed', 'Use POST.'))
  if (body.length > apiBodyLimitBytes) {
    return problemAnswer(problem('too-large', `Send at most ${apiBodyLimitBytes} bytes.`))
  }
  return call(ports, body)
}

function settle(ledger: PaymentLedger, body: Uint8Array, end: AuthorisationEnd): Promise<HttpAnswer> {
  return answerWith(readJson(paymentFacts, body), async (facts) =>
    jsonAnswer(200, { state: await ledger.settle(facts, end) }),
  )
}

async function answerWith<T>(body: Parsed<T>, answer: (value: T) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  return body.ok ? answer(body.value) : invalid(body.field, body.detail)
}

function isShop(authorization: string | undefined, apiKey: string): boolean {
  const given = Buffer.from(authorization ?? '')
  const expected = Buffer.from(`Bearer ${apiKey}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Returns the message to the shop about `report`, at `now` (epoch ms). */
export function composeSimulated(report: PaymentReport, now: number): Message {
  const amount = amountOf(report)
  const { paymentId, orderId, currency }: PaymentFacts = report.payment
  const timestamp = new Date(now).toISOString()
  const ofDispute = 'disputeId' in report ? { disputeId: report.disputeId } : {}
  const data = { paymentId, orderId, amount, currency, ...ofDispute }
  return { id: `msg_${randomUUID()}`, body: JSON.stringify({ type: typeOf(report), timestamp, data }) }
}

function amountOf(report: PaymentReport): number {
  if (report.what === 'refunded') return report.amount
  const isPaid = report.what === 'authorised' || report.what === 'captured'
  return isPaid ? paidOf(report.payment) : report.payment.amount
}

function typeOf({ what }: PaymentReport): PaymentEvent['type'] {
  switch (what) {
    case 'authorised':
    case 'failed':
    case 'disputed':
      return `payment.${what}`
    case 'dispute-won':
      return 'dispute.won'
    case 'dispute-lost':
    case 'dispute-prevented':
      return 'dispute.lost'
    case 'captured':
      return 'payment.succeeded'
    case 'released':
    case 'expired':
      return 'payment.failed'
    case 'refunded':
      return 'refund.succeeded'
  }
}

/** Returns a function that returns the headers which sign a message at `now`. */
export function signSimulated(secret: string): (message: Message, now: Date) => Record<string, string> {
  const signer = new Webhook(secret)
  return ({ id, body }, now) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signer.sign(id, now, body),
  })
}
