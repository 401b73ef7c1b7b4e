/**
 * `POST /api/payments/webhook`. Nothing of a message counts before its signature does, and only
 * then is its body read. The answer is 2xx when the provider need not send it again, 4xx when that
 * would not help, 503 when it would.
 */
import { shopApi } from '../../core/api/shop.ts'
import { maxWebhookBytes } from '../../core/body-limits.ts'
import { problem } from '../../core/outcome.ts'
import { answerOf, type HttpAnswer, invalid, problemAnswer } from '../lib/http/answer.ts'
import { type HttpRequest, isJson } from '../lib/http/request.ts'
import { createRouter } from '../lib/http/routes.ts'
import { type PaymentEventPorts, receivePaymentEvent } from './payment-events.ts'
import type { PaymentWebhooks } from './payments/payment-webhooks.ts'

export type WebhookPorts = PaymentEventPorts & { webhooks: PaymentWebhooks }

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
  const read = await ports.webhooks.read({ headers, body })
  if (read.kind === 'unsigned') {
    log.warn('webhook refused', { reason: read.fault, requestId: headers['x-request-id'] })
    const detail = 'Sign the message with our secret and the present time, as docs/how-to/payments.md says.'
    return refuse(ports, problemAnswer(problem('signature-invalid', detail)))
  }
  if (read.kind === 'malformed') return refuse(ports, invalid(read.field, read.detail))
  if (read.kind === 'ignored') return answerOf(shopApi.webhook, { result: 'ignored' })
  const { event, eventId, digest } = read
  const result = await receivePaymentEvent(ports, event, { eventId, digest, receivedAt: clock() })
  if (result !== 'reused') return answerOf(shopApi.webhook, { result })
  return refuse(ports, problemAnswer(problem('conflict', 'Another message came under the same webhook-id.')))
}

function refuse({ meter }: WebhookPorts, answer: HttpAnswer): HttpAnswer {
  meter.count('WebhookRefused')
  return answer
}
