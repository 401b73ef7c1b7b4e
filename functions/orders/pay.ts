/**
 * Starts a payment. First the table records the attempt and extends the time to pay, then the
 * provider is called. A repeat, or a retry after a crash, is the same attempt: the provider
 * receives the same id and the shopper the same page. The provider reports the result by webhook.
 */
import type { OrderId, ShopperId } from '../../core/ids.ts'
import type { Order, OrderStatus } from '../../core/order.ts'
import { namedLines } from '../../core/variants.ts'
import { type PaymentProvider, requestOf } from '../payments/payment-provider.ts'
import { type ChangeOrderPorts, changeOrder } from './change-order.ts'
import { asksForAddress, type StoredDeliveries } from './delivery-seen.ts'
import type { Offer, Offers } from './offer.ts'
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
  const product = productOf(own.order, offer)
  const changed = await changeOrder(ports, orderId, { kind: 'payment-started', graceMs, product })
  if (changed.kind === 'too-late') return { kind: 'too-late' }
  if (changed.kind === 'refused') return { kind: 'refused', status: changed.order.status }
  if (changed.kind !== 'moved' && changed.kind !== 'same') {
    throw new Error(`${orderId} answered the start of a payment with ${changed.kind}`)
  }
  const { payment, cancelAt } = changed.order
  if (payment === undefined) throw new Error(`${orderId} has no payment after one was started`)
  // The provider knows its page by other terms: the time to pay has grown since.
  if (payment.state === 'authorised') return { kind: 'being-captured' }
  // A payment started now would arrive too late, even if the order is not cancelled yet.
  if (ports.clock() >= cancelAt) return { kind: 'too-late' }
  const { url } = await ports.provider.start(requestOf(changed.order, payment))
  return { kind: 'started', url, paymentId: payment.paymentId }
}

/** The longest name of a product on a provider's page, characters. */
const maxProduct = 250

/** What a shopper reads on the provider's page and receipt: title, units, and their variants. */
function productOf({ quantity, basket }: Order, { title, variants = [] }: Offer): string {
  const lines = basket && namedLines(basket, variants).map(({ name, units }) => `${units} × ${name}`)
  const product = lines === undefined ? `${quantity} × ${title}` : `${title}: ${lines.join(', ')}`
  return product.slice(0, maxProduct)
}
