/**
 * The simulated provider: an API with four calls, which can all be repeated, and messages in the
 * form of Standard Webhooks.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod/mini'
import { orderPath } from '../../core/order-path.ts'
import { type Parsed, readJson, whole } from '../../core/parse.ts'
import { type PaymentEvent, paymentFacts } from '../../core/payment-event.ts'
import type { AuthorisationEnd } from '../../functions/payments/payment-provider.ts'
import { readBody } from '../cdn/body.ts'
import { problemReply, type RouteReply } from '../reply.ts'
import type { Book, NewPayment, PaymentFacts, Report } from './book.ts'
import { apiPrefix, type Dialect, type Message } from './dialect.ts'
import { paymentPageUrl } from './shopper.ts'

export type SimulatedPorts = {
  apiKey: string
  webhookSecret: string
  clock: () => number
  book: Book
  after: (milliseconds: number, task: () => void) => void
  send: (message: Message) => void
}

const newPayment = z.extend(paymentFacts, { until: whole(0, Number.MAX_SAFE_INTEGER) })

const bodyLimitBytes = 2048

/** How long a refund takes. */
const refundMs = 500

export function simulatedDialect(ports: SimulatedPorts): Dialect {
  const signer = new Webhook(ports.webhookSecret)
  const refund = createRefunds(ports)
  const calls: Readonly<Record<string, (body: Uint8Array) => RouteReply>> = {
    payments: (body) => answerWith(readJson(newPayment, body), (payment) => open(ports, payment)),
    captures: (body) => settle(ports, body, 'captured'),
    releases: (body) => settle(ports, body, 'released'),
    refunds: (body) =>
      answerWith(readJson(paymentFacts, body), (payment) => {
        refund(payment)
        return { status: 202, body: {} }
      }),
  }
  return {
    async answer(path, request) {
      if (!isShop(request.headers.authorization, ports.apiKey)) {
        return problemReply('sign-in-required', 'Send the API key as bearer token.')
      }
      const call = calls[path.slice(apiPrefix.length)]
      return call === undefined
        ? problemReply('not-found', 'The payment provider has no such address.')
        : answerPost(request, call)
    },
    compose: (report) => {
      const type = typeOf(report)
      if (type === undefined) return undefined
      const amount = report.what === 'refunded' ? report.amount : report.payment.amount
      return composed(type, { ...report.payment, amount }, ports.clock())
    },
    sign: ({ id, body }, now) => ({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signer.sign(id, now, body),
    }),
  }
}

async function answerPost(
  request: IncomingMessage,
  call: (body: Uint8Array) => RouteReply,
): Promise<RouteReply> {
  if (request.method !== 'POST') return problemReply('method-not-allowed', 'Use POST.')
  const bytes = await readBody(request, bodyLimitBytes)
  if (bytes.length > bodyLimitBytes) return problemReply('too-large', `Send at most ${bodyLimitBytes} bytes.`)
  return call(bytes)
}

function open({ book }: SimulatedPorts, payment: Omit<NewPayment, 'returnUrl'>): RouteReply {
  const { orderId } = payment
  return book.open({ ...payment, returnUrl: orderPath(orderId) }) === undefined
    ? problemReply('conflict', 'Another payment has that id.', { field: 'paymentId' })
    : { status: 200, body: { url: paymentPageUrl(orderId) } }
}

/** An authorisation that a restart has lost is released. */
function settle({ book }: SimulatedPorts, body: Uint8Array, wanted: AuthorisationEnd): RouteReply {
  return answerWith(readJson(paymentFacts, body), ({ paymentId }) => {
    const payment = book.find(paymentId)
    return { status: 200, body: { state: payment === undefined ? 'released' : book.settle(payment, wanted) } }
  })
}

function typeOf({ what }: Report): PaymentEvent['type'] | undefined {
  switch (what) {
    case 'authorised':
    case 'failed':
    case 'disputed':
      return `payment.${what}`
    case 'captured':
      return 'payment.succeeded'
    case 'released':
    case 'expired':
      return 'payment.failed'
    case 'refunded':
      return 'refund.succeeded'
  }
}

function composed(type: PaymentEvent['type'], facts: PaymentFacts, now: number): Message {
  const { paymentId, orderId, amount, currency } = facts
  const timestamp = new Date(now).toISOString()
  const body = JSON.stringify({ type, timestamp, data: { paymentId, orderId, amount, currency } })
  return { id: `msg_${randomUUID()}`, body, arrived: false }
}

/** Sends each amount of a payment back once, however often the shop asks. */
function createRefunds({ clock, after, send }: SimulatedPorts): (payment: PaymentFacts) => void {
  const refunds = new Map<string, Message>()
  return (payment) => {
    const key = `${payment.paymentId} ${payment.amount}`
    const known = refunds.get(key)
    if (known !== undefined) {
      // The shop asks again although it was notified, so it lost the notification.
      if (known.arrived) send(known)
      return
    }
    const message = composed('refund.succeeded', payment, clock())
    refunds.set(key, message)
    after(refundMs, () => send(message))
  }
}

function answerWith<T>(body: Parsed<T>, answer: (value: T) => RouteReply): RouteReply {
  return body.ok ? answer(body.value) : problemReply('invalid-request', body.detail, { field: body.field })
}

function isShop(authorization: string | undefined, apiKey: string): boolean {
  const given = Buffer.from(authorization ?? '')
  const expected = Buffer.from(`Bearer ${apiKey}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
