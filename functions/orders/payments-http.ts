/**
 * `POST /api/payments/webhook`. Nothing of a message counts before its signature does, and only
 * then is its body read. The answer is 2xx when the provider need not send it again, 4xx when that
 * would not help, 503 when it would.
 */
import { hash } from 'node:crypto'
import { shopApi } from '../../core/api/shop.ts'
import { maxWebhookBytes } from '../../core/body-limits.ts'
import { problem } from '../../core/outcome.ts'
import { readPaymentEvent } from '../../core/payment-event.ts'
import { type SignatureHeader, signatureHeaders } from '../../core/signature-headers.ts'
import { answerOf, type HttpAnswer, invalid, problemAnswer } from '../lib/http/answer.ts'
import { type HttpRequest, isJson } from '../lib/http/request.ts'
import { createRouter } from '../lib/http/routes.ts'
import type { Signatures, SignedMessage } from '../payments/webhook-signature.ts'
import type { ChangeOrderPorts } from './change-order.ts'
import { receivePaymentEvent } from './payment-events.ts'

export type WebhookPorts = ChangeOrderPorts & { signatures: Signatures }

type Context = { ports: WebhookPorts; request: HttpRequest }

const route = createRouter<Context>([
  { ...shopApi.webhook, run: ({ ports, request }) => receive(ports, request) },
])

/**
 * Answers one message of the payment provider.
 * @throws what the ports throw
 */
export function answerWebhook(ports: WebhookPorts, request: HttpRequest): Promise<HttpAnswer> {
  return route(request, { ports, request })
}

async function receive(ports: WebhookPorts, { headers, body }: HttpRequest): Promise<HttpAnswer> {
  const { clock, log } = ports
  if (Buffer.byteLength(body) > maxWebhookBytes) {
    return refuse(
      ports,
      problemAnswer(problem('too-large', `The body must be at most ${maxWebhookBytes} bytes.`)),
    )
  }
  if (!isJson(headers['content-type'])) {
    return refuse(ports, problemAnswer(problem('unsupported-media-type', 'Send application/json.')))
  }
  const signed = signedBy(headers)
  const fault =
    signed === undefined
      ? 'a header is missing or malformed'
      : ports.signatures.faultOf({ headers: signed, body })
  if (signed === undefined || fault !== undefined) {
    log.warn('webhook refused', { reason: fault, requestId: headers['x-request-id'] })
    const detail = 'Sign the message as Standard Webhooks says, with our secret and the present time.'
    return refuse(ports, problemAnswer(problem('signature-invalid', detail)))
  }
  const event = readPaymentEvent(body)
  if (!event.ok) return refuse(ports, invalid(event.field, event.detail))
  if (event.value === undefined) return answerOf(shopApi.webhook, { result: 'ignored' })
  const eventId = signed['webhook-id']
  const delivery = { eventId, digest: hash('sha256', body, 'hex'), receivedAt: clock() }
  const result = await receivePaymentEvent(ports, event.value, delivery)
  if (result !== 'reused') return answerOf(shopApi.webhook, { result })
  return refuse(ports, problemAnswer(problem('conflict', 'Another message came under the same webhook-id.')))
}

function refuse({ meter }: WebhookPorts, answer: HttpAnswer): HttpAnswer {
  meter.count('WebhookRefused')
  return answer
}

/** The id is kept as a key, and an honest one of any provider looks so. */
const idPattern = /^[A-Za-z0-9_:-]+$/
const timePattern = /^[0-9]+$/

function signedBy(headers: HttpRequest['headers']): SignedMessage['headers'] | undefined {
  const id = bounded(headers, 'webhook-id')
  const timestamp = bounded(headers, 'webhook-timestamp')
  const signature = bounded(headers, 'webhook-signature')
  if (id === undefined || timestamp === undefined || signature === undefined) return undefined
  if (!idPattern.test(id) || !timePattern.test(timestamp)) return undefined
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

function bounded(headers: HttpRequest['headers'], name: SignatureHeader): string | undefined {
  const value = headers[name]
  return value !== undefined && value.length <= signatureHeaders[name] ? value : undefined
}
