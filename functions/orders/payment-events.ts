/**
 * Applies a payment event to its order. The provider resends each event until it is acknowledged,
 * so each is counted by its id in the transaction of its effect: a repeat has no effect, and an
 * event that failed here is delivered again (I5).
 */
import type { LifeEvent, PaymentMoney } from '../../core/orders/order-life.ts'
import type { PaymentEvent } from '../../core/orders/payment-event.ts'
import { addAuthorisation } from '../table/orders/authorisations.ts'
import type { ProviderEvent } from '../table/orders/order-change.ts'
import { type ChangeOrderPorts, changeOrder } from './change-order.ts'
import { settleAuthorisation } from './settle.ts'

/** `done` also when the event changed nothing. `reused`: its id belongs to another event. */
export type Received = 'done' | 'repeat' | 'reused'

/**
 * The same event may be delivered again.
 * @throws what the ports throw; for an authorisation also when the provider does not settle it
 */
export async function receivePaymentEvent(
  ports: ChangeOrderPorts,
  event: PaymentEvent,
  delivery: ProviderEvent,
): Promise<Received> {
  const { orderId, paymentId } = event.data
  const { kind } = await changeOrder(ports, orderId, lifeEventOf(event), delivery)
  if (kind === 'reused') return kind
  // Separate steps, so that a repeat runs them too.
  if (event.type === 'payment.failed') {
    // Only a payment under way kept an overdue order.
    await changeOrder(ports, orderId, { kind: 'payment-window-over' })
  }
  if (event.type === 'payment.authorised') {
    const authorisation = { ...moneyOf(event), orderId, requestedAt: delivery.receivedAt }
    await addAuthorisation(ports.table, authorisation)
    await settleAuthorisation(ports, authorisation)
  }
  if (kind === 'repeat') return kind
  if (event.type === 'payment.disputed') {
    ports.meter.count('PaymentDisputed')
    ports.log.error('a payment is disputed: do not send the order and do not refund it', {
      ...{ orderId, paymentId },
    })
  }
  if (event.type === 'refund.failed') {
    // Not sent again by itself: money that is on two ways at once may arrive twice.
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
      return { kind: 'refund-failed', paymentId }
    case 'refund.succeeded':
      return { kind: 'refund-succeeded', paymentId, amount, currency }
  }
}

function moneyOf({ data }: Pick<PaymentEvent, 'data'>): PaymentMoney {
  const { paymentId, amount, currency, reference } = data
  return { paymentId, amount, currency, ...(reference && { reference }) }
}
