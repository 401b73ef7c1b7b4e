/**
 * Applies a payment event to its order. The provider resends each event until it is acknowledged,
 * so each is counted by its id in the transaction of its effect: a repeat has no effect, and an
 * event that failed here is delivered again (I5).
 */
import type { LifeEvent } from '../../core/order-life.ts'
import type { PaymentEvent } from '../../core/payment-event.ts'
import { type ChangeOrderPorts, changeOrder } from './change-order.ts'
import type { ProviderEvent } from './order-ledger.ts'

/** `done` also when the event changed nothing. `reused`: its id belongs to another event. */
export type Received = 'done' | 'repeat' | 'reused'

/**
 * The same event may be delivered again.
 * @throws what the ports throw
 */
export async function receivePaymentEvent(
  ports: ChangeOrderPorts,
  event: PaymentEvent,
  delivery: ProviderEvent,
): Promise<Received> {
  const { orderId } = event.data
  const { kind } = await changeOrder(ports, orderId, lifeEventOf(event), delivery)
  if (kind === 'reused') return kind
  if (event.type === 'payment.failed') {
    // Only a payment under way kept an overdue order. A separate step, so that a repeat runs it
    // too.
    await changeOrder(ports, orderId, { kind: 'payment-window-over' })
  }
  return kind === 'repeat' ? kind : 'done'
}

function lifeEventOf({ type, data: { paymentId, amount, currency } }: PaymentEvent): LifeEvent {
  switch (type) {
    case 'payment.succeeded':
      return { kind: 'payment-succeeded', paymentId, amount, currency }
    case 'payment.failed':
      return { kind: 'payment-failed', paymentId }
    case 'refund.succeeded':
      return { kind: 'refund-succeeded', paymentId, amount, currency }
  }
}
