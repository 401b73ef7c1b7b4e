/**
 * What a message of the payment provider does to an order. The provider sends each until we say we have it, so each is
 * counted by its id in the transaction of its effect: a repeat has none, and a message that met a fault of ours comes
 * again (I5).
 */
import type { LifeEvent } from '../../core/order-life.ts'
import type { PaymentEvent } from '../../core/payment-event.ts'
import { type ChangeOrderPorts, changeOrder } from './change-order.ts'
import type { ProviderEvent } from './order-ledger.ts'

/** `done` also when the message meant nothing new. `reused`: its id was another message's. */
export type Received = 'done' | 'repeat' | 'reused'

/** Throws what the ports throw; the same message may come again. */
export async function receivePaymentEvent(
  ports: ChangeOrderPorts,
  event: PaymentEvent,
  delivery: ProviderEvent,
): Promise<Received> {
  const { orderId } = event.data
  const { kind } = await changeOrder(ports, orderId, lifeEventOf(event), delivery)
  if (kind === 'reused') return kind
  if (event.type === 'payment.failed') {
    // Only a payment on its way kept an order past its time. Not with the step above, so also on a repeat.
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
