/**
 * `POST /api/payments/webhook`: applies a payment event to its order. Verifies the signature of a message before it reads
 * the body. Answers 2xx when the provider need not send the message again, 4xx when a retry would not help, and 503 when
 * it would.
 *
 * The provider resends each event until it is acknowledged, so the transaction of its effect also counts the event by its
 * id: a repeat has no effect, and an event that failed here is delivered again (I5).
 */
import { shopApi } from '../../core/api/shop.ts'
import { saleOfOrder } from '../../core/ids.ts'
import type { LifeEvent, PaymentMoney } from '../../core/orders/order-life.ts'
import type { PaymentEvent } from '../../core/orders/payment-event.ts'
import { problem } from '../../core/outcome.ts'
import { invalid, problemAnswer } from '../lib/http/answer.ts'
import { createApp, type Middleware, on } from '../lib/http/app.ts'
import type { ProviderEvent } from '../table/orders/change-orders.ts'
import { addAuthorisation } from '../table/orders/due-money.ts'
import { type ChangeOrderPorts, changeOrder } from './change-orders.ts'
import type { PaymentOutcomes } from './payment-outcomes.ts'
import type { PaymentWebhooks } from './payments/payment-webhooks.ts'
import { settleAuthorisation } from './settle.ts'

/** `done`: applied, or nothing to change. `reused`: its id belongs to another event. */
export type ReceiveResult = 'done' | 'repeat' | 'reused'

/** Applies the event. Repeatable. @throws what the ports throw; also when the provider does not settle an authorisation */
export async function receivePaymentEvent(
  ports: ChangeOrderPorts,
  event: PaymentEvent,
  delivery: ProviderEvent,
): Promise<ReceiveResult> {
  const { orderId, paymentId } = event.data
  const { kind } = await changeOrder(ports, orderId, lifeEventOf(event), delivery)
  if (kind === 'reused') return kind
  if (event.type === 'payment.authorised') {
    // A separate step, so that a repeat runs it too.
    const authorisation = { ...moneyOf(event), orderId, requestedAt: delivery.receivedAt }
    await addAuthorisation(ports.table, authorisation)
    await settleAuthorisation(ports, authorisation)
  }
  if (kind === 'repeat') return kind
  if (event.type === 'payment.disputed' && kind !== 'same') {
    ports.meter.count('PaymentDisputed')
    ports.log.error('a payment is disputed: do not send the order and do not refund it', { orderId, paymentId })
  }
  if (event.type === 'refund.failed') {
    // Never resent automatically: two transfers of the same money may both arrive.
    ports.meter.count('RefundMismatch')
    const { amount, currency } = event.data
    const returned = `${amount} ${currency}`
    ports.log.error('the bank returned a refund: pay the shopper by another way, then mark the order as settled', {
      orderId,
      paymentId,
      returned,
    })
  }
  return 'done'
}

function lifeEventOf({ type, data }: PaymentEvent): LifeEvent {
  const { paymentId, amount, currency, disputeId } = data
  const money = moneyOf({ data })
  const ofDispute = { paymentId, ...(disputeId && { disputeId }) }
  switch (type) {
    case 'payment.authorised':
      return { kind: 'payment-authorised', ...money }
    case 'payment.succeeded':
      return { kind: 'payment-succeeded', ...money }
    case 'payment.failed':
      return { kind: 'payment-failed', paymentId }
    case 'payment.disputed':
      return { kind: 'payment-disputed', ...ofDispute }
    case 'dispute.won':
      return { kind: 'dispute-won', ...ofDispute }
    case 'dispute.lost':
      return { kind: 'dispute-lost', ...money, ...ofDispute }
    case 'refund.failed':
      return { kind: 'refund-failed', paymentId, currency }
    case 'refund.succeeded':
      return { kind: 'refund-succeeded', paymentId, amount, currency }
  }
}

function moneyOf({ data }: Pick<PaymentEvent, 'data'>): PaymentMoney {
  const { paymentId, amount, currency, reference } = data
  return { paymentId, amount, currency, ...(reference && { reference }) }
}

export type WebhookPorts = ChangeOrderPorts & { webhooks: PaymentWebhooks; outcomes?: Pick<PaymentOutcomes, 'note'> }

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

const notMessages = [404, 405]

const countRefused =
  ({ meter }: WebhookPorts): Middleware =>
  async (c, next) => {
    await next()
    const { status } = c.res
    if (status >= 400 && status < 500 && !notMessages.includes(status)) meter.count('WebhookRefused')
  }
