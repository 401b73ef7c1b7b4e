/** A shopper's own orders, by id or page by page. */

import type { OrderView } from '../../core/api/shop.ts'
import { type OrderId, type SaleId, type ShopperId, saleOfOrder } from '../../core/ids.ts'
import { priceOf } from '../../core/money.ts'
import { holdsUnits, type Order } from '../../core/order.ts'
import { historyEntry } from '../../core/order-life.ts'
import type { OrderPageQuery, OrderPlace } from '../../core/order-page.ts'
import type { Stocks } from '../../redis/command.ts'
import type { Hold } from '../../redis/holds.ts'
import { ordersOfShopper } from '../../redis/stock.ts'
import type { Offer, Offers } from './offer.ts'
import { couponsSeen } from './own-coupons.ts'
import { type OwnOrderPorts, ownOrder, viewOf } from './own-order.ts'

/** `next` is where this page ended; absent on the last one. */
export type OrderIdPage = { orderIds: readonly OrderId[]; next?: OrderPlace }

/** The orders that are written. */
export type Orders = OwnOrderPorts['orders'] & {
  /**
   * One read: ids of the shopper's orders, newest first; eventually consistent. A page may be empty
   * and still have a next one.
   */
  page: (shopperId: ShopperId, query: OrderPageQuery) => Promise<OrderIdPage>
  /** One read: those of `orderIds`, at most 100, that are written. Strongly consistent. */
  findMany: (orderIds: readonly OrderId[]) => Promise<ReadonlyMap<OrderId, Order>>
}

export type OfferList = Offers & {
  /** At most one read: the offers of those of `saleIds`, at most 100, that exist. */
  ofMany: (saleIds: readonly SaleId[]) => Promise<ReadonlyMap<SaleId, Offer>>
}

export type ListPorts = { stock: Stocks; orders: Orders; offers: OfferList }
export type FindPorts = OwnOrderPorts & { offers: Offers }

/** The order as its shopper sees it; undefined when it is missing or another shopper's. */
export async function findOrder(
  ports: FindPorts,
  shopperId: ShopperId,
  orderId: OrderId,
): Promise<OrderView | undefined> {
  const own = await ownOrder(ports, shopperId, orderId)
  if (own === undefined) return undefined
  if (own.kind === 'reserved')
    return reservedView(orderId, own.hold, await ports.offers.of(saleOfOrder(orderId)))
  const { order } = own
  return writtenView(order, showsCoupons(order) ? await ports.offers.of(order.saleId) : undefined)
}

/** `next` is where this page ended; absent on the last one. */
export type OrderPage = { orders: OrderView[]; next?: OrderPlace }

/**
 * A page of the shopper's orders, newest first. The first page of one sale also has the newest
 * reservations that are not on the list yet, at most `limit` of them. Every page costs two reads of
 * the index and the orders, one of their sales, and one of Redis.
 */
export async function listOrders(
  { stock, orders, offers }: ListPorts,
  shopperId: ShopperId,
  query: OrderPageQuery,
): Promise<OrderPage> {
  const { saleId, after, limit } = query
  const isFirst = after === undefined
  const [page, held] = await Promise.all([
    orders.page(shopperId, query),
    saleId === undefined || !isFirst ? [] : ordersOfShopper(stock, saleId, shopperId),
  ])
  const listed = new Set(page.orderIds)
  const fresh = held.slice(-limit).filter(({ orderId }) => !listed.has(orderId))
  const written = await orders.findMany([...listed, ...fresh.map(({ orderId }) => orderId)])
  const reserved = fresh.filter(({ orderId, quantity }) => quantity > 0 && !written.has(orderId))

  const own = [...written.values()].filter((order) => order.shopperId === shopperId)
  // Reservations older than the end of this page belong to a later one.
  const end = page.next?.reservedAt ?? 0
  const shown = own.filter(({ orderId, reservedAt }) => listed.has(orderId) || reservedAt >= end)
  const sales = new Set([
    ...shown.filter(showsCoupons).map((order) => order.saleId),
    ...reserved.map(({ orderId }) => saleOfOrder(orderId)),
  ])
  const known = sales.size === 0 ? new Map<SaleId, Offer>() : await offers.ofMany([...sales])
  const views = [
    ...shown.map((order) => writtenView(order, known.get(order.saleId))),
    ...reserved.map((hold) => reservedView(hold.orderId, hold, known.get(saleOfOrder(hold.orderId)))),
  ]
  return { ...(page.next && { next: page.next }), orders: views.sort((a, b) => b.reservedAt - a.reservedAt) }
}

const showsCoupons = ({ coupons, status }: Order) => coupons !== undefined && holdsUnits(status)

function writtenView(order: Order, offer: Offer | undefined): OrderView {
  return { ...viewOf(order), ...couponsSeen(order, offer) }
}

function reservedView(orderId: OrderId, { quantity, reservedAt }: Hold, sale: Offer | undefined): OrderView {
  if (sale === undefined) throw new Error(`${orderId} is reserved in a sale that does not exist`)
  const status = 'reserved'
  return {
    orderId,
    saleId: saleOfOrder(orderId),
    quantity,
    amount: priceOf(quantity, sale.price),
    currency: sale.currency,
    status,
    reservedAt,
    payBy: null,
    history: [historyEntry(reservedAt, status, status)],
  }
}
