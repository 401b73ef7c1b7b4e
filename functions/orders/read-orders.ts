/** Reads a shopper's own orders, by id or page by page. */
import type { OrderView } from '../../core/api/shop.ts'
import { type OrderId, type SaleId, type ShopperId, saleOfOrder } from '../../core/ids.ts'
import { priceOf } from '../../core/money.ts'
import { holdsUnits, type Order } from '../../core/orders/order.ts'
import { historyEntry } from '../../core/orders/order-life.ts'
import type { OrderPageQuery, OrderPlace } from '../../core/orders/order-page.ts'
import type { Hold } from '../../redis/orders/holds.ts'
import { ordersOfShopper } from '../../redis/stock/stock.ts'
import type { StockPorts } from '../lib/shop/shop.ts'
import { findWrittenOrders, orderIdsOf, pageOfOrders } from '../table/orders/orders.ts'
import { ordersWithDelivery, type StoredDeliveries } from '../table/people/deliveries.ts'
import type { Offer, OfferList, Offers } from './offers.ts'
import { asksForAddress, couponsView, deliveryFacts, findOwnOrder, writtenOrderView } from './own-order.ts'

export type ListPorts = StockPorts & { offers: OfferList }

/** Resolves with the order as its shopper sees it; undefined when it is missing or another shopper's. */
export async function findOrderView(
  ports: StockPorts & { offers: Offers },
  shopperId: ShopperId,
  orderId: OrderId,
): Promise<OrderView | undefined> {
  const own = await findOwnOrder(ports, shopperId, orderId)
  if (own === undefined) return undefined
  if (own.kind === 'reserved') {
    return reservedView(orderId, own.hold, await ports.offers.find(saleOfOrder(orderId)))
  }
  const offer = needsOffer(own.order) ? await ports.offers.find(own.order.saleId) : undefined
  const stored = asksForAddress(offer) ? await ordersWithDelivery(ports.table, [orderId], ports.clock()) : noDeliveries
  return writtenView(own.order, offer, stored)
}

/** `next` is where this page ended; absent on the last page. */
export type OrderViewPage = { orders: OrderView[]; next?: OrderPlace }

/**
 * Returns a page of the shopper's orders, newest first. The first page of one sale also contains up to `limit` of the
 * newest reservations that are not in the index yet. A page costs two reads of the index and the orders, one of their
 * sales, one of Redis, and one of deliveries if a sale asks for addresses.
 */
export async function listOrders(
  { stock, offers, table, clock }: ListPorts,
  shopperId: ShopperId,
  query: OrderPageQuery,
): Promise<OrderViewPage> {
  const { saleId, after, limit } = query
  const isFirst = after === undefined
  const [page, held] = await Promise.all([
    pageOfOrders(table, shopperId, query),
    saleId === undefined || !isFirst ? [] : ordersOfShopper(stock, saleId, shopperId),
  ])
  const listed = new Set(page.orderIds)
  const fresh = held.slice(-limit).filter(({ orderId }) => !listed.has(orderId))
  const written = await findWrittenOrders(table, [...listed, ...orderIdsOf(fresh)])
  const reserved = fresh.filter(({ orderId, quantity }) => quantity > 0 && !written.has(orderId))

  const own = [...written.values()].filter((order) => order.shopperId === shopperId)
  // Reservations older than the end of this page belong to a later one.
  const end = page.next?.reservedAt ?? 0
  const shown = own.filter(({ orderId, reservedAt }) => listed.has(orderId) || reservedAt >= end)
  const sales = new Set([
    ...shown.filter(needsOffer).map((order) => order.saleId),
    ...reserved.map(({ orderId }) => saleOfOrder(orderId)),
  ])
  const known = sales.size === 0 ? new Map<SaleId, Offer>() : await offers.findMany([...sales])
  const sent = shown.filter((order) => asksForAddress(known.get(order.saleId)))
  const stored = sent.length === 0 ? noDeliveries : await ordersWithDelivery(table, orderIdsOf(sent), clock())
  const views = [
    ...shown.map((order) => writtenView(order, known.get(order.saleId), stored)),
    ...reserved.map((hold) => reservedView(hold.orderId, hold, known.get(saleOfOrder(hold.orderId)))),
  ]
  return { ...(page.next && { next: page.next }), orders: views.sort((a, b) => b.reservedAt - a.reservedAt) }
}

/** True when the view needs the sale: goods may ask for an address, and coupons only when they are shown. */
const needsOffer = ({ coupons, status }: Order) => coupons === undefined || holdsUnits(status)

const noDeliveries: StoredDeliveries = new Map()

function writtenView(order: Order, offer: Offer | undefined, stored: StoredDeliveries): OrderView {
  return {
    ...writtenOrderView(order),
    ...couponsView(order, offer),
    ...deliveryFacts(order, offer, stored),
  }
}

function reservedView(orderId: OrderId, hold: Hold, sale: Offer | undefined): OrderView {
  const { quantity, variant, reservedAt } = hold
  if (sale === undefined) throw new Error(`${orderId} is reserved in a sale that does not exist`)
  const status = 'reserved'
  return {
    orderId,
    saleId: saleOfOrder(orderId),
    quantity,
    ...(variant && { variant }),
    amount: priceOf(quantity, sale.price),
    currency: sale.currency,
    status,
    reservedAt,
    payBy: null,
    history: [historyEntry(reservedAt, status, status)],
  }
}
