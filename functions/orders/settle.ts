/**
 * Settles an authorisation: captures the money that an order accepted, and releases any other. The table records the
 * settlement as due before the provider is called and until the result is booked, so `reconcile` repeats it after a lost
 * answer, a crash or an outage.
 */
import { settlementOf } from '../../core/orders/order-life.ts'
import { type Authorisation, endAuthorisation } from '../table/orders/due-money.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import { type ChangeOrderPorts, changeOrder } from './change-orders.ts'

/** Captures or releases, and books the result. Repeatable. @throws when a component is unavailable; it stays due */
export async function settleAuthorisation(ports: ChangeOrderPorts, authorisation: Authorisation): Promise<void> {
  const { requestedAt: _, ...money } = authorisation
  const { orderId, paymentId } = money
  const action = settlementOf(await findWrittenOrder(ports.table, orderId), paymentId, ports.clock())
  // The timer is about to cancel the order; a later run of reconcile releases the money then.
  if (action === 'wait') return
  if (action !== 'none') {
    // The answer counts, because the provider's report may be lost.
    const settled = await ports.provider[action](money)
    ports.log.info('authorisation settled', { orderId, paymentId, due: action, settled })
    if (settled === 'captured') await changeOrder(ports, orderId, { kind: 'payment-succeeded', ...money })
    else await changeOrder(ports, orderId, { kind: 'payment-failed', paymentId, isReleased: true })
  }
  await endAuthorisation(ports.table, paymentId)
}
