/**
 * Finds an order of the caller and shows it. The order exists from the moment its units are reserved: until it is written,
 * the hold in Redis represents it (I2). Another shopper's order counts as missing.
 */
import type { OrderView } from '../../core/api/shop.ts'
import type { OrderId, ShopperId } from '../../core/ids.ts'
import { orderBillOf } from '../../core/orders/bill.ts'
import { holdsUnits, isPaidInShop, type Order, type Payment } from '../../core/orders/order.ts'
import { refundOf } from '../../core/orders/order-refunds.ts'
import { shownStatus } from '../../core/orders/order-standing.ts'
import { activeRedemption } from '../../core/orders/redemption.ts'
import { countriesOf } from '../../core/sale/sale.ts'
import type { Hold } from '../../redis/orders/holds.ts'
import { readHold } from '../../redis/stock/stock.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import type { StoredDeliveries } from '../table/people/deliveries.ts'
import type { Offer } from './offers.ts'

/** `reserved`: not written yet. */
export type OwnOrder = { kind: 'written'; order: Order } | { kind: 'reserved'; hold: Hold }

/** Returns undefined when the order is missing or another shopper's. */
export async function findOwnOrder(
  { stock, table }: Pick<ShopContext, 'stock' | 'table'>,
  shopperId: ShopperId,
  orderId: OrderId,
): Promise<OwnOrder | undefined> {
  const order = await findWrittenOrder(table, orderId)
  if (order !== undefined) return order.shopperId === shopperId ? { kind: 'written', order } : undefined
  const hold = await readHold(stock, orderId, shopperId)
  return hold === undefined ? undefined : { kind: 'reserved', hold }
}

/** Returns a written order as its shopper sees it, without coupons. */
export function writtenOrderView(order: Order): OrderView {
  const { orderId, saleId, quantity, variant, amount, currency, status, reservedAt, payBy, history } = order
  return {
    ...(order.orderNumber && { orderNumber: order.orderNumber }),
    ...{ orderId, saleId, quantity, amount, currency, status, reservedAt, history },
    ...(variant && { variant }),
    // In any other status there is nothing to pay.
    payBy: status === 'awaiting-payment' ? payBy : null,
    ...(order.payment && isPaymentShown(order) && { payment: shownState(order.payment) }),
    ...refundedAmountOf(order),
    ...refundStatusOf(order),
    ...(order.reason && { reason: order.reason }),
    ...(order.shipment && { shipment: order.shipment }),
  }
}

/** True when the payment is shown. Where the shop takes the money, the payment of a cancelled order is hidden. */
function isPaymentShown(order: Order): boolean {
  return !(isPaidInShop(order) && order.status === 'cancelled')
}

/** Shows an authorised payment as started: the shopper is not charged yet. */
function shownState({ state }: Payment): OrderView['payment'] {
  return state === 'authorised' ? 'started' : state
}

function refundedAmountOf(order: Order): Pick<OrderView, 'refundedAmount'> {
  const back = order.payment && refundOf(order, order.payment.paymentId)
  return back !== undefined && back.returned > 0 ? { refundedAmount: back.returned } : {}
}

/** Returns the refund of an order whose status does not show it: a shipped order keeps its status. */
function refundStatusOf(order: Order): Pick<OrderView, 'refund'> {
  const refund = shownStatus(order)
  const isBeside = refund !== order.status && (refund === 'refund-due' || refund === 'refunded')
  return isBeside ? { refund } : {}
}

export type CouponsView = Pick<OrderView, 'coupons' | 'redeemed' | 'validFrom' | 'validUntil'>

/** Returns the coupons of an order. `offer` may be missing when there are no codes to show. */
export function couponsView(order: Order, offer: Offer | undefined): CouponsView {
  const { orderId, status, coupons } = order
  if (coupons === undefined || !holdsUnits(status)) return {}
  if (offer === undefined) throw new Error(`${orderId} has coupons of a sale that does not exist`)
  const { validFrom, validUntil } = offer.coupons ?? {}
  const redeemed = coupons.filter((code) => activeRedemption(order, code) !== undefined)
  return {
    coupons,
    ...(redeemed.length > 0 && { redeemed }),
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  }
}

/** True when the sale of the order asks for an address. */
export function asksForAddress(offer: Offer | undefined): boolean {
  return offer !== undefined && countriesOf(offer).length > 0
}

/**
 * Returns whether the delivery that the sale asks for is stored, and the bill, without decrypting the address. `amount` is
 * the total of the bill. A shop's own checkout makes its own bill.
 */
export function deliveryFacts(
  order: Order,
  offer: Offer | undefined,
  stored: StoredDeliveries,
): Pick<OrderView, 'delivery' | 'bill'> & { amount?: number } {
  const { orderId } = order
  const bill = offer && offer.checkoutUrl === undefined && orderBillOf(order, offer, stored.get(orderId))
  return {
    ...(bill && { bill, amount: bill.total }),
    ...(asksForAddress(offer) && { delivery: stored.has(orderId) ? 'stored' : 'missing' }),
  }
}
