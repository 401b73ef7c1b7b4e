/**
 * `POST /api/payments/webhook`. Nothing of a message counts before its signature does, and only
 * then is its body read. The answer is 2xx when the provider need not send it again, 4xx when that
 * would not help, 503 when it would.
 */

import { shopApi } from '../../core/api/shop.ts'
import { saleOfOrder } from '../../core/ids.ts'
import { problem } from '../../core/outcome.ts'
import { invalid, problemAnswer } from '../lib/http/answer.ts'
import { createApp, type Middleware, on } from '../lib/http/app.ts'
import type { ChangeOrderPorts } from './change-order.ts'
import { receivePaymentEvent } from './payment-events.ts'
import type { PaymentOutcomes } from './payment-outcomes.ts'
import type { PaymentWebhooks } from './payments/payment-webhooks.ts'

export type WebhookPorts = ChangeOrderPorts & {
  webhooks: PaymentWebhooks
  outcomes?: Pick<PaymentOutcomes, 'note'>
}

const routes = [
  on(shopApi.webhook, async (ports: WebhookPorts, { headers, body }) => {
    const { clock, log } = ports
    const read = await ports.webhooks.read({ headers, body })
    if (read.kind === 'unsigned') {
      log.warn('webhook refused', { reason: read.fault, requestId: headers['x-request-id'] })
      const detail = 'Sign the message with our secret and the present time, as docs/how-to/payments.md says.'
      return problemAnswer(problem('signature-invalid', detail))
    }
    if (read.kind === 'malformed') return invalid(read.field, read.detail)
    if (read.kind === 'ignored') return { result: 'ignored' }
    const { event, eventId, digest } = read
    const result = await receivePaymentEvent(ports, event, { eventId, digest, receivedAt: clock() })
    if (result === 'done' && (event.type === 'payment.succeeded' || event.type === 'payment.failed'))
      ports.outcomes?.note(saleOfOrder(event.data.orderId), event.type === 'payment.failed')
    if (result !== 'reused') return { result }
    return problemAnswer(problem('conflict', 'Another message came under the same webhook-id.'))
  }),
]

/** Answers messages of the payment provider. */
export const webhookApp = (ports: WebhookPorts) => createApp(ports, routes, countRefused(ports))

const noMessage = [404, 405]

const countRefused =
  ({ meter }: WebhookPorts): Middleware =>
  async (c, next) => {
    await next()
    const { status } = c.res
    if (status >= 400 && status < 500 && !noMessage.includes(status)) meter.count('WebhookRefused')
  }
