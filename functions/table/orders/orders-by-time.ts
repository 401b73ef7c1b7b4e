/** Lists the orders of a sale by time, from the index over the parts that they are stored in. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { DisputeState, OrderStatus } from '../../../core/orders/order.ts'
import type { OrderPlace } from '../../../core/orders/order-page.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { orderParts, ordersIndex, reportedAttribute, sortableTime } from '../keys.ts'
import type { Item } from '../query.ts'
import { findWrittenOrders, orderIdsOf, orderPlaceOf } from './orders.ts'
import { readReportLine } from './reported-order.ts'

/**
 * Selects orders; an undefined field selects all. `status` is the one shown to people (`shownStatus`); `dispute` is the state
 * of the payment's dispute; `among` returns the order ids that it accepts.
 */
export type OrderFilter = {
  status?: OrderStatus | undefined
  dispute?: DisputeState | undefined
  variant?: string | undefined
  among?: ((orderIds: readonly OrderId[]) => Promise<ReadonlySet<OrderId>>) | undefined
}

/**
 * The maximum of orders that one call scans for a filter. The index has the status; for a dispute or a variant each order is
 * read, a read unit each. So a call ends quickly in a sale of any size, and the next one resumes where it ended.
 */
const scanLimits = { status: 3000, facts: 1000 } as const

/** Extra entries per read of a part beyond its share of the page, because parts are not equally full. */
const extraPerPart = 6

type Entry = OrderPlace & { status: unknown }

/** A partly read part of the orders: all its orders later than `readTo` are in `entries`. */
type Part = { pk: string; entries: Entry[]; readTo: number; from: Item | undefined; size: number }

/**
 * Returns at most `limit` orders of the sale after `before`, the last reserved first; `next` is where the next page begins
 * while more may follow. With a filter a page may be short or empty although more follow. The index lags behind the orders,
 * also in their status.
 */
export async function ordersByTime(
  table: Table,
  saleId: SaleId,
  { limit, before, ...filter }: OrderFilter & { limit: number; before?: OrderPlace | undefined },
): Promise<{ places: readonly OrderPlace[]; next?: OrderPlace }> {
  const { status } = filter
  const scanLimit = needsOrders(filter) ? scanLimits.facts : status === undefined ? limit : scanLimits.status
  const { entries, next } = await entriesByTime(table, saleId, scanLimit, before)
  const ofStatus = status === undefined ? entries : entries.filter((entry) => entry.status === status)
  const found = needsOrders(filter) ? await filterByFacts(table, ofStatus, filter) : ofStatus
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : next
  return {
    places: page,
    ...(last && { next: { orderId: last.orderId, reservedAt: last.reservedAt } }),
  }
}

/** True when the filter needs a fact that the index lacks, so that each order is read. */
export const needsOrders = ({ dispute, variant, among }: OrderFilter): boolean =>
  dispute !== undefined || variant !== undefined || among !== undefined

async function filterByFacts(
  table: Table,
  entries: readonly Entry[],
  { dispute, variant, among }: OrderFilter,
): Promise<readonly Entry[]> {
  const kept = await among?.(orderIdsOf(entries))
  const wanted = kept === undefined ? entries : entries.filter(({ orderId }) => kept.has(orderId))
  if (dispute === undefined && variant === undefined) return wanted
  const orders = await findWrittenOrders(table, orderIdsOf(wanted))
  return wanted.filter(({ orderId }) => {
    const order = orders.get(orderId)
    return (
      (dispute === undefined || order?.dispute?.state === dispute) &&
      (variant === undefined || order?.variant === variant)
    )
  })
}

/** Returns at most `limit` entries of the index; `next` is the last of them while more follow. */
async function entriesByTime(
  table: Table,
  saleId: SaleId,
  limit: number,
  before: OrderPlace | undefined,
): Promise<{ entries: readonly Entry[]; next?: Entry | undefined }> {
  const latest = before?.reservedAt ?? Number.MAX_SAFE_INTEGER
  const pks = orderParts(saleId)
  const size = Math.ceil(limit / pks.length) + extraPerPart
  let parts = pks.map((pk): Part => ({ pk, entries: [], readTo: Number.POSITIVE_INFINITY, from: undefined, size }))
  for (;;) {
    const found = parts
      .flatMap(({ entries }) => entries)
      .filter((place) => before === undefined || isAfter(place, before))
      .toSorted(latestFirst)
    // Orders of one moment may be on both sides of the end of a read.
    const end = found[limit]?.reservedAt ?? Number.NEGATIVE_INFINITY
    const isShort = ({ readTo }: Part) => readTo >= end && readTo !== Number.NEGATIVE_INFINITY
    if (!parts.some(isShort)) {
      const entries = found.slice(0, limit)
      return { entries, next: found.length > limit ? entries.at(-1) : undefined }
    }
    parts = await Promise.all(parts.map((part) => (isShort(part) ? readMore(table, part, latest) : part)))
  }
}

/** Compares places by the order of the lists, also of several sales. */
export const latestFirst = (a: OrderPlace, b: OrderPlace): number => (isAfter(a, b) ? 1 : -1)

/** Orders that are read to find the last reservation, because rejected ones do not count. */
const maxLatest = 20

/** Returns when the last units were reserved until `until` (epoch ms); undefined if all of the latest orders were rejected. */
export async function lastReservedAt(
  table: Table,
  { saleId }: { saleId: SaleId },
  until: number,
): Promise<number | undefined> {
  const before = { reservedAt: until + 1, orderId: '' as OrderId }
  const { places } = await ordersByTime(table, saleId, { limit: maxLatest, before })
  const orders = [...(await findWrittenOrders(table, orderIdsOf(places))).values()]
  const times = orders.filter(({ status }) => status !== 'rejected').map(({ reservedAt }) => reservedAt)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** True when `place` comes after `other` in the list. */
function isAfter(place: OrderPlace, other: OrderPlace): boolean {
  if (place.reservedAt !== other.reservedAt) return place.reservedAt < other.reservedAt
  return place.orderId < other.orderId
}

/** Returns the shown status of an index entry, from its report line. */
const shownIn = (item: Item): unknown =>
  readReportLine(orderPlaceOf(item).orderId, item[reportedAttribute])?.shown ?? item.status

async function readMore({ client, name }: Table, part: Part, latest: number): Promise<Part> {
  const query = new QueryCommand({
    TableName: name,
    IndexName: ordersIndex,
    KeyConditionExpression: 'pk = :part AND listSk <= :latest',
    ExpressionAttributeValues: { ':part': part.pk, ':latest': sortableTime(latest) },
    ScanIndexForward: false,
    Limit: part.size,
    ExclusiveStartKey: part.from,
  })
  const { Items = [], LastEvaluatedKey: from } = await client.send(query)
  return {
    pk: part.pk,
    entries: [...part.entries, ...Items.map((item) => ({ ...orderPlaceOf(item), status: shownIn(item) }))],
    readTo: from === undefined ? Number.NEGATIVE_INFINITY : orderPlaceOf(from).reservedAt,
    from,
    size: part.size * 2,
  }
}
