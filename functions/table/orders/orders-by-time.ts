/** The orders of a sale by time, from the index over the parts that they are stored in. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { OrderId, SaleId } from '../../../core/ids.ts'
import { sortableTime } from '../../../core/lib/sortable-time.ts'
import type { OrderStatus } from '../../../core/orders/order.ts'
import type { OrderPlace } from '../../../core/orders/order-page.ts'
import type { Table } from '../dynamodb.ts'
import { orderParts, timeIndex } from '../keys.ts'
import type { Item } from '../query.ts'
import { findWrittenOrders, orderPlaceOf } from './orders.ts'

export type OrdersByTime = {
  limit: number
  status?: OrderStatus | undefined
  before?: OrderPlace | undefined
}

/** Entries that one read of a part asks for: a page has few of each part, those of one status may be far apart. */
const atFirst = { ofAll: 6, ofStatus: 1000 } as const

/** A part of the orders, as far as it is read: all its orders later than `readTo` are in `places`. */
type Part = { pk: string; places: OrderPlace[]; readTo: number; from: Item | undefined; size: number }

/**
 * At most `limit` orders of the sale behind `before`, the last reserved first; `next` is the last of them while more
 * follow. The index lags a moment behind the orders, also in their status.
 */
export async function ordersByTime(
  table: Table,
  saleId: SaleId,
  { limit, status, before }: OrdersByTime,
): Promise<{ orderIds: OrderId[]; next?: OrderPlace }> {
  const latest = before?.reservedAt ?? Number.MAX_SAFE_INTEGER
  const size = status === undefined ? atFirst.ofAll : atFirst.ofStatus
  let parts = orderParts(saleId).map(
    (pk): Part => ({ pk, places: [], readTo: Number.POSITIVE_INFINITY, from: undefined, size }),
  )
  for (;;) {
    const found = parts
      .flatMap(({ places }) => places)
      .filter((place) => before === undefined || isBehind(place, before))
      .toSorted((a, b) => (isBehind(a, b) ? 1 : -1))
    // Orders of one moment may be on both sides of the end of a read.
    const end = found[limit]?.reservedAt ?? Number.NEGATIVE_INFINITY
    const isShort = ({ readTo }: Part) => readTo >= end && readTo !== Number.NEGATIVE_INFINITY
    if (!parts.some(isShort)) {
      const page = found.slice(0, limit)
      const next = found.length > limit ? page.at(-1) : undefined
      return { orderIds: page.map(({ orderId }) => orderId), ...(next && { next }) }
    }
    parts = await Promise.all(
      parts.map((part) => (isShort(part) ? readOn(table, part, latest, status) : part)),
    )
  }
}

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
