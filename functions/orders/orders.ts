/**
 * A shopper's own orders. An order is visible from the moment it is promised: until it is written the
 * reservation in Redis stands for it (I2). Somebody else's order does not exist.
 */
import { type OrderId, type SaleId, type ShopperId, saleOfOrder } from '../../core/ids.ts'
import { priceOf } from '../../core/money.ts'
import type { Order, OrderView } from '../../core/order.ts'
import { historyEntry } from '../../core/order-life.ts'
import { refundOf } from '../../core/order-refunds.ts'
import type { Hold } from '../../redis/stock.ts'
import type { Offers } from '../order-life/offer.ts'
import { couponsSeen } from './coupons.ts'

/** The orders that are written. A list may lag a moment behind, `find` does not. */
export type Orders = {
  find: (orderId: OrderId) => Promise<Order | undefined>
  ofShopper: (shopperId: ShopperId) => Promise<readonly Order[]>
}

/** Units promised to shoppers, as Redis holds them. */
export type Holds = {
  find: (orderId: OrderId) => Promise<Hold | undefined>
  ofShopper: (saleId: SaleId, shopperId: ShopperId) => Promise<readonly OrderId[]>
}

export type Ports = { orders: Orders; holds: Holds; offers: Offers }

/** An order of the caller's: as the table has it, or only promised by Redis so far. */
export type OwnOrder = { kind: 'written'; order: Order } | { kind: 'reserved'; hold: Hold }

/** The shopper's order of that id, or undefined when there is none or it is another's. */
export async function ownOrder(
  { orders, holds }: Pick<Ports, 'orders' | 'holds'>,
  shopperId: ShopperId,
  orderId: OrderId,
): Promise<OwnOrder | undefined> {
  const order = await orders.find(orderId)
  if (order !== undefined) return order.shopperId === shopperId ? { kind: 'written', order } : undefined
  const hold = await holds.find(orderId)
  return hold?.shopperId === shopperId ? { kind: 'reserved', hold } : undefined
}

/** What its shopper may see of that order, or undefined when there is none or it is another's. */
export async function findOrder(
  ports: Ports,
  shopperId: ShopperId,
  orderId: OrderId,
): Promise<OrderView | undefined> {
  const own = await ownOrder(ports, shopperId, orderId)
  if (own === undefined) return undefined
  return own.kind === 'written' ? writtenView(ports, own.order) : reservedView(ports, orderId, own.hold)
}

/** The shopper's orders, newest first; with `saleId` those of that sale, with the ones not yet written. */
export async function listOrders(
  ports: Ports,
  shopperId: ShopperId,
  saleId: SaleId | undefined,
): Promise<OrderView[]> {
  const [written, promised] = await Promise.all([
    ports.orders.ofShopper(shopperId),
    saleId === undefined ? [] : ports.holds.ofShopper(saleId, shopperId),
  ])
  const listed = written.filter((order) => saleId === undefined || order.saleId === saleId)
  const known = new Set(listed.map(({ orderId }) => orderId))
  const missing = promised.filter((orderId) => !known.has(orderId))
  const views = await Promise.all([
    ...listed.map((order) => writtenView(ports, order)),
    ...missing.map((orderId) => findOrder(ports, shopperId, orderId)),
  ])
  return views.filter((order) => order !== undefined).sort((a, b) => b.reservedAt - a.reservedAt)
}

async function writtenView({ offers }: Pick<Ports, 'offers'>, order: Order): Promise<OrderView> {
  return { ...viewOf(order), ...(await couponsSeen(offers, order)) }
}

/** A written order as its shopper sees it, but for its coupons. */
export function viewOf(order: Order): OrderView {
  const { orderId, saleId, quantity, amount, currency, status, reservedAt, payBy, history } = order
  return {
    ...{ orderId, saleId, quantity, amount, currency, status, reservedAt, payBy, history },
    ...(order.payment && { payment: order.payment.state }),
    ...refundedOf(order),
    ...(order.reason && { reason: order.reason }),
  }
}

function refundedOf(order: Order): Pick<OrderView, 'refundedAmount'> {
  const back = order.payment && refundOf(order, order.payment.paymentId)
  return back !== undefined && back.returned > 0 ? { refundedAmount: back.returned } : {}
}

async function reservedView(
  { offers }: Ports,
  orderId: OrderId,
  { quantity, reservedAt }: Hold,
): Promise<OrderView> {
  const saleId = saleOfOrder(orderId)
  const sale = await offers.of(saleId)
  if (sale === undefined) throw new Error(`${orderId} is promised in a sale that does not exist`)
  const amount = priceOf(quantity, sale.price)
  const status = 'reserved'
  return {
    orderId,
    saleId,
    quantity,
    amount,
    currency: sale.currency,
    status,
    reservedAt,
    payBy: null,
    history: [historyEntry(reservedAt, status, status)],
  }
}
