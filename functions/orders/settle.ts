/**
 * Ends an authorisation: the money that an order accepted is captured, any other is released. It is
 * due in the table before the provider is called, and stays due until the result is booked, so
 * `reconcile` repeats what a lost answer, a crash or an outage cut off.
 */
import { settlementOf } from '../../core/orders/order-life.ts'
import { type Authorisation, endAuthorisation } from '../table/orders/due-money.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import { type ChangeOrderPorts, changeOrder } from './change-orders.ts'

/** Captures or releases, and books the result. Repeatable. @throws when a part is unavailable; it stays due */
export async function settleAuthorisation(ports: ChangeOrderPorts, authorisation: Authorisation): Promise<void> {
  const { requestedAt: _, ...money } = authorisation
  const { orderId, paymentId } = money
  const action = settlementOf(await findWrittenOrder(ports.table, orderId), paymentId, ports.clock())
  // The timer is about to cancel the order; a later run of reconcile releases the money then.
  if (action === 'wait') return
  if (action !== 'none') {
    // The answer counts: nothing depends on the provider's report of it, which may be lost.
    const settled = await ports.provider[action](money)
    ports.log.info('authorisation settled', { orderId, paymentId, due: action, settled })
    if (settled === 'captured') await changeOrder(ports, orderId, { kind: 'payment-succeeded', ...money })
    else await changeOrder(ports, orderId, { kind: 'payment-failed', paymentId, isReleased: true })
  }
  await endAuthorisation(ports.table, paymentId)
}
