/** Reads written orders from DynamoDB. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { type OrderId, parseOrderId, type ShopperId, saleOfOrder } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { OrderPageQuery, OrderPlace } from '../../../core/orders/order-page.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { readBatch } from '../batch.ts'
import { findItem, UnexpectedItem } from '../dynamodb.ts'
import { listIndex, orderKey, orderListKey } from '../keys.ts'
import type { Item } from '../query.ts'
import { readOrderItem } from './order-item.ts'

/** `next` is where this page ended; absent on the last one. */
type OrderIdPage = { orderIds: readonly OrderId[]; next?: OrderPlace }

/** The list has no sale, so a page of one sale scans this many entries of some 150 bytes: two read units. */
const scannedPerPage = 100

/** Returns the order, if it is written; strongly consistent. */
export async function findWrittenOrder(table: Table, orderId: OrderId): Promise<Order | undefined> {
  const item = await findItem(table, orderKey(orderId))
  return item && readOrderItem(item)
}

/** Returns the written orders of `orderIds`, a hundred per read; strongly consistent. */
export async function findWrittenOrders(
  table: Table,
  orderIds: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, Order>> {
  const items = await readBatch(table, [...new Set(orderIds)].map(orderKey))
  return new Map(items.map(readOrderItem).map((order) => [order.orderId, order]))
}

/** Returns ids of a shopper's orders in one read, newest first; eventually consistent. An empty page may have a next one. */
export async function pageOfOrders(
  { client, name }: Table,
  shopperId: ShopperId,
  { saleId, limit, after }: OrderPageQuery,
  listKey = orderListKey,
): Promise<OrderIdPage> {
  const query = new QueryCommand({
    TableName: name,
    IndexName: listIndex,
    KeyConditionExpression: 'listPk = :list',
    ExpressionAttributeValues: { ':list': listKey(shopperId, 0).listPk },
    ScanIndexForward: false,
    Limit: saleId === undefined ? limit : scannedPerPage,
    ...(after && { ExclusiveStartKey: { ...orderKey(after.orderId), ...listKey(shopperId, after.reservedAt) } }),
  })
  const { Items = [], LastEvaluatedKey } = await client.send(query)
  const places = Items.map(orderPlaceOf)
  const wanted = saleId === undefined ? places : places.filter(({ orderId }) => saleOfOrder(orderId) === saleId)
  const page = wanted.slice(0, limit)
  const last = wanted.length > limit ? page.at(-1) : LastEvaluatedKey && orderPlaceOf(LastEvaluatedKey)
  return { orderIds: orderIdsOf(page), ...(last && { next: last }) }
}

/** Returns all orders in a list of the shopper, newest first. The list lags behind the orders. */
export async function allOrders(table: Table, shopperId: ShopperId, listKey = orderListKey): Promise<Order[]> {
  const orders: Order[] = []
  let after: OrderPlace | undefined
  do {
    const page = await pageOfOrders(table, shopperId, { limit: 100, ...(after && { after }) }, listKey)
    const written = await findWrittenOrders(table, page.orderIds)
    // An order that was renamed no longer belongs to the shopper.
    orders.push(...[...written.values()].filter((order) => order.shopperId === shopperId))
    after = page.next
  } while (after !== undefined)
  return orders
}

export const orderIdsOf = (orders: readonly { orderId: OrderId }[]) => orders.map(({ orderId }) => orderId)

/** Returns the place of an order in a list by time. @throws UnexpectedItem */
export function orderPlaceOf({ sk, listSk }: Item): OrderPlace {
  const orderId = parseOrderId(sk)
  const reservedAt = Number(listSk)
  if (orderId === undefined || !Number.isSafeInteger(reservedAt)) {
    throw new UnexpectedItem('an entry of a list of orders', 'it must name an order and its time')
  }
  return { orderId, reservedAt }
}
