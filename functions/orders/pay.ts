/**
 * Starts a payment. A provider opens a limited number of pages per second. Above that, orders queue, and their time to
 * pay is extended by the wait. Then the table records the attempt and extends the time to pay, and the provider is called.
 * A repeat, or a retry after a crash, is the same attempt: the provider receives the same id, and the shopper the same
 * page. The provider reports the result by webhook.
 *
 * Where the shop takes the money, its own checkout replaces the provider: the page is the checkout's address with a signed
 * reservation, and the shop reports by confirmation (reservations.ts).
 */
import type { OrderId, ShopperId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { deliveryCostOf, goodsAmountOf } from '../../core/orders/bill.ts'
import type { Order, OrderStatus, Payment } from '../../core/orders/order.ts'
import { isBeingPaid, type LifeEvent, paymentOpensAt } from '../../core/orders/order-life.ts'
import { textIn } from '../../core/sale/sale.ts'
import { variantNamesIn } from '../../core/sale/variants.ts'
import { queuePaymentPage } from '../../redis/orders/payment-queue.ts'
import { PaymentProviderBusy, toPaymentRequest } from '../lib/shop/payment-provider.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'
import { ordersWithDelivery } from '../table/people/deliveries.ts'
import { type ChangeOrderPorts, changeOrder } from './change-orders.ts'
import type { Offer, Offers } from './offers.ts'
import { asksForAddress, findOwnOrder } from './own-order.ts'
import { checkoutAddress, type SignReservation } from './reservation-token.ts'

type PaymentStart = Extract<LifeEvent, { kind: 'payment-started' }>

/** `signReservation` is absent in a stage without a shop's own checkout. */
export type PayPorts = ChangeOrderPorts &
  Pick<ShopContext, 'paymentPagesPerSecond'> & { offers: Offers; signReservation?: SignReservation | undefined }

/** A shorter wait is skipped, ms: the provider's limit has room for the payments of this time at once. */
const maxIgnoredWaitMs = 250

/** How long a shopper waits after the provider's rate limit was exceeded, ms. */
const busyRetryMs = 2000

/**
 * `url` is the provider's page. `waiting`: the page opens at `opensAt`, epoch ms; repeat the call then. `not-written`:
 * reserved, but not yet in the table. `too-late`: the time to pay is over. `being-captured`: the money is authorised, so no
 * page is needed. `no-address`: the order lacks the address that its sale asks for. `refused`: an order in this status
 * cannot be paid. `no-order`: missing, or another shopper's.
 */
export type PayResult =
  | { kind: 'started'; url: string; paymentId: string }
  | { kind: 'waiting'; opensAt: number }
  | { kind: 'not-written' | 'too-late' | 'being-captured' | 'no-address' | 'no-order' }
  | { kind: 'refused'; status: OrderStatus }

/** Starts the payment, or finds it again. `language` is the page's. @throws what the ports throw, also the provider */
export async function payOrder(
  ports: PayPorts,
  shopperId: ShopperId,
  orderId: OrderId,
  language?: Language,
): Promise<PayResult> {
  const own = await findOwnOrder(ports, shopperId, orderId)
  if (own === undefined) return { kind: 'no-order' }
  if (own.kind === 'reserved') return { kind: 'not-written' }
  const offer = await ports.offers.find(own.order.saleId)
  if (offer === undefined) throw new Error(`${orderId} is of a sale that does not exist`)
  if (offer.checkoutUrl !== undefined) return openCheckout(ports, orderId, offer, offer.checkoutUrl)
  const isOpen = own.order.status === 'awaiting-payment'
  const isNeeded = isOpen && asksForAddress(offer)
  const stored = isNeeded ? await ordersWithDelivery(ports.table, [orderId], ports.clock()) : new Map()
  if (isNeeded && !stored.has(orderId)) return { kind: 'no-address' }
  if (isOpen && !isBeingPaid(own.order)) {
    const queued = await queuePayment(ports, own.order)
    if (queued !== undefined) return queued
  }
  const graceMs = offer.paymentGraceSeconds * 1000
  const product = productOf(own.order, offer, language ?? '')
  const delivery = neededDelivery(own.order, offer, stored.get(orderId))
  const attempt = { kind: 'payment-started', graceMs, product, language, ...delivery } as const
  const started = await startAttempt(ports, orderId, attempt)
  if (!('order' in started)) return started
  const { order, payment } = started
  // Opening the page again would fail: its terms have changed, because the time to pay was extended since.
  if (payment.state === 'authorised') return { kind: 'being-captured' }
  // A payment that starts now would be too late, even if the order is not cancelled yet.
  if (ports.clock() >= order.cancelAt) return { kind: 'too-late' }
  try {
    const { url } = await ports.provider.start(toPaymentRequest(order, payment))
    return { kind: 'started', url, paymentId: payment.paymentId }
  } catch (error) {
    if (!(error instanceof PaymentProviderBusy)) throw error
    ports.log.warn('the payment provider limits requests', { orderId, ...errorFacts(error) })
    return { kind: 'waiting', opensAt: ports.clock() + busyRetryMs }
  }
}

/** Returns the delivery that a new attempt needs, and its cost. */
function neededDelivery(
  order: Order,
  offer: Offer,
  country: string | undefined,
): Pick<PaymentStart, 'needsDelivery' | 'deliveryCost'> {
  if (!asksForAddress(offer)) return {}
  if (offer.delivery?.costs === undefined || country === undefined) return { needsDelivery: true }
  const deliveryCost = deliveryCostOf(goodsAmountOf(order), offer.delivery, country)
  // The countries of a started sale are fixed, and each has its cost.
  if (deliveryCost === null) throw new Error(`${order.orderId} goes to a country without a delivery cost`)
  return { needsDelivery: { country }, deliveryCost }
}

/** Records an attempt, or finds the pending one. A result without an order is the result of the whole call. */
async function startAttempt(
  ports: PayPorts,
  orderId: OrderId,
  event: PaymentStart,
): Promise<{ order: Order; payment: Payment } | PayResult> {
  const changed = await changeOrder(ports, orderId, event)
  if (changed.kind === 'no-delivery') return { kind: 'no-address' }
  if (changed.kind === 'too-late') return { kind: 'too-late' }
  if (changed.kind === 'refused') return { kind: 'refused', status: changed.order.status }
  if (changed.kind !== 'moved' && changed.kind !== 'same') {
    throw new Error(`${orderId} answered the start of a payment with ${changed.kind}`)
  }
  const { order } = changed
  if (order.payment === undefined) throw new Error(`${orderId} has no payment after one was started`)
  return { order, payment: order.payment }
}

/** Signs a reservation, valid until the time to pay is over. The grace period is for a late confirmation. */
async function openCheckout(ports: PayPorts, orderId: OrderId, offer: Offer, checkoutUrl: string): Promise<PayResult> {
  const { signReservation, clock } = ports
  if (signReservation === undefined) throw new Error(`${orderId} is paid in a shop, and this stage has no key`)
  const graceMs = offer.paymentGraceSeconds * 1000
  const started = await startAttempt(ports, orderId, { kind: 'payment-started', graceMs, inShop: true })
  if (!('order' in started)) return started
  const { order, payment } = started
  if (clock() >= order.payBy) return { kind: 'too-late' }
  const url = checkoutAddress(checkoutUrl, await signReservation(order, checkoutUrl))
  return { kind: 'started', url, paymentId: payment.paymentId }
}

/** Queues the payment; resolves with undefined when the page may open now. */
async function queuePayment(ports: PayPorts, order: Order): Promise<PayResult | undefined> {
  const { gate, clock, log, paymentPagesPerSecond } = ports
  const known = paymentOpensAt(order)
  if (known !== undefined) return known > clock() ? { kind: 'waiting', opensAt: known } : undefined
  const { orderId } = order
  const now = clock()
  let opensAt: number
  try {
    opensAt = await queuePaymentPage(gate, now, paymentPagesPerSecond)
  } catch (error) {
    // The provider's own limit still applies, and the shop keeps selling.
    log.warn('payment queue unavailable; the page is opened at once', { orderId, ...errorFacts(error) })
    return undefined
  }
  if (opensAt <= now + maxIgnoredWaitMs) return undefined
  const changed = await changeOrder(ports, orderId, { kind: 'payment-queued', opensAt })
  if (changed.kind === 'too-late') return { kind: 'too-late' }
  if (changed.kind === 'refused') return { kind: 'refused', status: changed.order.status }
  // Another request may have queued the order, or may have started its payment.
  const queuedUntil = changed.kind === 'moved' || changed.kind === 'same' ? paymentOpensAt(changed.order) : undefined
  return queuedUntil === undefined ? undefined : { kind: 'waiting', opensAt: queuedUntil }
}

/** The longest name of a product on a provider's page, characters. */
const maxProductLength = 250

/** Returns the text on the provider's page and receipt: title, units, and their variant. */
function productOf({ quantity, variant }: Order, offer: Offer, language: Language): string {
  const { title } = textIn({ ...offer, description: '' }, language)
  const named = variantNamesIn(offer.variants ?? [], language)
  const name = variant && (named.find(({ id }) => id === variant)?.name ?? variant)
  const product = name === undefined ? `${quantity} × ${title}` : `${title}: ${quantity} × ${name}`
  return product.slice(0, maxProductLength)
}
