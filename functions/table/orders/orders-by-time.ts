/** The orders of a sale by time: from the index over the parts that they are stored in, or from the orders themselves. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { OrderId, SaleId } from '../../../core/ids.ts'
import { sortableTime } from '../../../core/lib/sortable-time.ts'
import type { DisputeState, OrderStatus } from '../../../core/orders/order.ts'
import type { OrderPlace } from '../../../core/orders/order-page.ts'
import { basketIn } from '../../../core/sale/variants.ts'
import type { Table } from '../dynamodb.ts'
import { orderParts, timeIndex } from '../keys.ts'
import { partPages } from '../partitions.ts'
import type { Item } from '../query.ts'
import { findWrittenOrders, orderPlaceOf } from './orders.ts'

/** Which orders to list; what is undefined keeps all. `dispute` is how the dispute of the order's payment stands. */
export type OrderFilter = {
  status?: OrderStatus | undefined
  dispute?: DisputeState | undefined
  variant?: string | undefined
}

type OrdersByTime = OrderFilter & { limit: number; before?: OrderPlace | undefined }

type OrdersPage = { orderIds: OrderId[]; next?: OrderPlace }

/** Entries that one read of a part asks for: a page has few of each part, those of one status may be far apart. */
const atFirst = { ofAll: 6, ofStatus: 1000 } as const

/** A part of the orders, as far as it is read: all its orders later than `readTo` are in `places`. */
type Part = { pk: string; places: OrderPlace[]; readTo: number; from: Item | undefined; size: number }

/**
 * At most `limit` orders of the sale behind `before`, the last reserved first; `next` is the last of them while more
 * follow. The index lags a moment behind the orders, also in their status.
 */
export function ordersByTime(table: Table, saleId: SaleId, asked: OrdersByTime): Promise<OrdersPage> {
  return readsAll(asked) ? ordersOfWalk(table, saleId, asked) : ordersOfIndex(table, saleId, asked)
}

/** Whether the filter needs a fact that the index does not have, so that a page reads every order of the sale. */
export const readsAll = ({ dispute, variant }: OrderFilter): boolean =>
  dispute !== undefined || variant !== undefined

/** DynamoDB reserves the name `status`. */
const filtered = {
  ProjectionExpression: 'sk, listSk, basket, dispute, #status',
  ExpressionAttributeNames: { '#status': 'status' },
}

/** 100,000 orders of 0.8 kB are 20,000 read units. */
async function ordersOfWalk(table: Table, saleId: SaleId, asked: OrdersByTime): Promise<OrdersPage> {
  const { limit, before, dispute } = asked
  const has = dispute === undefined ? 'basket' : 'dispute'
  const found: OrderPlace[] = []
  const pages = partPages(table, orderParts(saleId), {
    ...filtered,
    FilterExpression: `attribute_exists(${has})`,
  })
  for await (const page of pages) {
    for (const item of page) {
      const place = matches(item, asked) && orderPlaceOf(item)
      if (place && (before === undefined || isBehind(place, before))) found.push(place)
    }
  }
  return pageOf(found.toSorted(latestFirst), limit)
}

function matches(item: Item, { status, dispute, variant }: OrderFilter): boolean {
  const stored = item.dispute as { state?: unknown } | undefined
  return (
    (status === undefined || item.status === status) &&
    (dispute === undefined || stored?.state === dispute) &&
    (variant === undefined || basketIn(String(item.basket))?.[variant] !== undefined)
  )
}

function pageOf(sorted: readonly OrderPlace[], limit: number): OrdersPage {
  const page = sorted.slice(0, limit)
  const next = sorted.length > limit ? page.at(-1) : undefined
  return { orderIds: page.map(({ orderId }) => orderId), ...(next && { next }) }
}

async function ordersOfIndex(
  table: Table,
  saleId: SaleId,
  { limit, status, before }: OrdersByTime,
): Promise<OrdersPage> {
  const latest = before?.reservedAt ?? Number.MAX_SAFE_INTEGER
  const size = status === undefined ? atFirst.ofAll : atFirst.ofStatus
  let parts = orderParts(saleId).map(
    (pk): Part => ({ pk, places: [], readTo: Number.POSITIVE_INFINITY, from: undefined, size }),
  )
  for (;;) {
    const found = parts
      .flatMap(({ places }) => places)
      .filter((place) => before === undefined || isBehind(place, before))
      .toSorted(latestFirst)
    // Orders of one moment may be on both sides of the end of a read.
    const end = found[limit]?.reservedAt ?? Number.NEGATIVE_INFINITY
    const isShort = ({ readTo }: Part) => readTo >= end && readTo !== Number.NEGATIVE_INFINITY
    if (!parts.some(isShort)) return pageOf(found, limit)
    parts = await Promise.all(
      parts.map((part) => (isShort(part) ? readOn(table, part, latest, status) : part)),
    )
  }
}

const latestFirst = (a: OrderPlace, b: OrderPlace) => (isBehind(a, b) ? 1 : -1)
/** Orders that are read for the last reservation: those that were rejected never became one. */
const lastLookedAt = 20

/** When the last units of the sale were reserved until `until` (epoch ms); undefined where the latest orders have none. */
export async function lastReservedAt(
  table: Table,
  { saleId }: { saleId: SaleId },
  until: number,
): Promise<number | undefined> {
  const before = { reservedAt: until + 1, orderId: '' as OrderId }
  const { orderIds } = await ordersByTime(table, saleId, { limit: lastLookedAt, before })
  const orders = [...(await findWrittenOrders(table, orderIds)).values()]
  const times = orders.filter(({ status }) => status !== 'rejected').map(({ reservedAt }) => reservedAt)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Whether the list has `place` after `other`. */
function isBehind(place: OrderPlace, other: OrderPlace): boolean {
  if (place.reservedAt !== other.reservedAt) return place.reservedAt < other.reservedAt
  return place.orderId < other.orderId
}

async function readOn(
  { client, name }: Table,
  part: Part,
  latest: number,
  status: OrderStatus | undefined,
): Promise<Part> {
  const query = new QueryCommand({
    TableName: name,
    IndexName: timeIndex,
    KeyConditionExpression: 'pk = :part AND listSk <= :latest',
    ExpressionAttributeValues: {
      ':part': part.pk,
      ':latest': sortableTime(latest),
      ...(status !== undefined && { ':status': status }),
    },
    ...(status !== undefined && {
      FilterExpression: '#status = :status',
      ExpressionAttributeNames: { '#status': 'status' },
    }),
    ScanIndexForward: false,
    Limit: part.size,
    ExclusiveStartKey: part.from,
  })
  const { Items = [], LastEvaluatedKey: from } = await client.send(query)
  return {
    pk: part.pk,
    places: [...part.places, ...Items.map(orderPlaceOf)],
    readTo: from === undefined ? Number.NEGATIVE_INFINITY : orderPlaceOf(from).reservedAt,
    from,
    size: part.size * 2,
  }
}
