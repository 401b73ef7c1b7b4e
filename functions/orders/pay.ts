/**
 * Starts a payment. First the table records the attempt and extends the time to pay, then the
 * provider is called. A repeat, or a retry after a crash, is the same attempt: the provider
 * receives the same id and the shopper the same page. The provider reports the result by webhook.
 */
import type { OrderId, ShopperId } from '../../core/ids.ts'
import type { OrderStatus } from '../../core/order.ts'
import type { PaymentProvider } from '../payments/payment-provider.ts'
import { type ChangeOrderPorts, changeOrder } from './change-order.ts'
import { asksForAddress, type StoredDeliveries } from './delivery-seen.ts'
import type { Offers } from './offer.ts'
import { type OwnOrderPorts, ownOrder } from './own-order.ts'

export type PayPorts = OwnOrderPorts &
  ChangeOrderPorts & {
    offers: Offers
    deliveries: StoredDeliveries
    provider: Pick<PaymentProvider, 'start'>
  }

/**
 * `url` is the provider's page. `not-written`: reserved, but not yet in the table. `too-late`: the
 * time to pay is over. `being-captured`: the money is authorised, so no page is due. `no-address`: the sale asks for an address, and the order has none. `refused`:
 * an order in this status cannot be paid. `no-order`: missing, or another shopper's.
 */
export type Paying =
  | { kind: 'started'; url: string; paymentId: string }
  | { kind: 'not-written' | 'too-late' | 'being-captured' | 'no-address' | 'no-order' }
  | { kind: 'refused'; status: OrderStatus }

/**
 * Can be repeated.
 * @throws what the ports throw, also when the provider is unavailable
 */
export async function payOrder(ports: PayPorts, shopperId: ShopperId, orderId: OrderId): Promise<Paying> {
  const own = await ownOrder(ports, shopperId, orderId)
  if (own === undefined) return { kind: 'no-order' }
  if (own.kind === 'reserved') return { kind: 'not-written' }
  const offer = await ports.offers.of(own.order.saleId)
  if (offer === undefined) throw new Error(`${orderId} is of a sale that does not exist`)
  const isOpen = own.order.status === 'awaiting-payment'
  if (isOpen && asksForAddress(offer) && !(await ports.deliveries.among([orderId])).has(orderId)) {
    return { kind: 'no-address' }
  }
  const graceMs = offer.paymentGraceSeconds * 1000
  const changed = await changeOrder(ports, orderId, { kind: 'payment-started', graceMs })
  if (changed.kind === 'too-late') return { kind: 'too-late' }
  if (changed.kind === 'refused') return { kind: 'refused', status: changed.order.status }
  if (changed.kind !== 'moved' && changed.kind !== 'same') {
    throw new Error(`${orderId} answered the start of a payment with ${changed.kind}`)
  }
  const { payment, amount, currency, cancelAt } = changed.order
  if (payment === undefined) throw new Error(`${orderId} has no payment after one was started`)
  // The provider knows its page by other terms: the time to pay has grown since.
  if (payment.state === 'authorised') return { kind: 'being-captured' }
  // A payment started now would arrive too late, even if the order is not cancelled yet.
  if (ports.clock() >= cancelAt) return { kind: 'too-late' }
  const { paymentId, startedAt } = payment
  const request = { paymentId, orderId, amount, currency, startedAt, until: cancelAt }
  const { url } = await ports.provider.start(request)
  return { kind: 'started', url, paymentId }
}
