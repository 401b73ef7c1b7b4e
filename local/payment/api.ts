/** The provider's API for the shop: open a payment, and refund one. Both are idempotent. */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import { type Parsed, readJson, whole } from '../../core/parse.ts'
import { paymentFacts } from '../../core/payment-event.ts'
import { readBody } from '../cdn/body.ts'
import { problemReply, type RouteReply } from '../reply.ts'
import type { NewPayment, PaymentFacts } from './store.ts'

export const apiPrefix = '/local/payment/'

/** `open` returns the payment page, or undefined when the id belongs to another payment. */
export type ApiPorts = {
  apiKey: string
  open(payment: NewPayment): string | undefined
  refund(payment: PaymentFacts): void
}

const newPayment = z.extend(paymentFacts, { until: whole(0, Number.MAX_SAFE_INTEGER) })

const bodyLimitBytes = 2048

/** Answers a call of the shop. */
export async function answerShop(
  ports: ApiPorts,
  path: string,
  request: IncomingMessage,
): Promise<RouteReply> {
  if (!isShop(request.headers.authorization, ports.apiKey)) {
    return problemReply('sign-in-required', 'Send the API key as bearer token.')
  }
  if (path !== `${apiPrefix}payments` && path !== `${apiPrefix}refunds`) {
    return problemReply('not-found', 'The payment provider has no such address.')
  }
  if (request.method !== 'POST') return problemReply('method-not-allowed', 'Use POST.')
  const bytes = await readBody(request, bodyLimitBytes)
  if (bytes.length > bodyLimitBytes) return problemReply('too-large', `Send at most ${bodyLimitBytes} bytes.`)
  if (path === `${apiPrefix}refunds`) {
    return answerWith(readJson(paymentFacts, bytes), (payment) => {
      ports.refund(payment)
      return { status: 202, body: {} }
    })
  }
  return answerWith(readJson(newPayment, bytes), (payment) => {
    const url = ports.open(payment)
    return url === undefined
      ? problemReply('conflict', 'Another payment has that id.', { field: 'paymentId' })
      : { status: 200, body: { url } }
  })
}

function answerWith<T>(body: Parsed<T>, answer: (value: T) => RouteReply): RouteReply {
  return body.ok ? answer(body.value) : problemReply('invalid-request', body.detail, { field: body.field })
}

function isShop(authorization: string | undefined, apiKey: string): boolean {
  const given = Buffer.from(authorization ?? '')
  const expected = Buffer.from(`Bearer ${apiKey}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
