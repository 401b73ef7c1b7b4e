/** Reads all orders of a sale, part by part, from any of them on. */
import { type OrderId, type OrderQuarter, parseOrderId, type SaleId } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { OrderPlace } from '../../../core/orders/order-page.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { type ItemKey, orderKey, orderParts, ordersIndex, reportedAttribute, sortableTime } from '../keys.ts'
import { readOrderItem } from '../orders/order-item.ts'
import { findWrittenOrders } from '../orders/orders.ts'
import { type ReportedOrder, readReportLine, reportedOrder } from '../orders/reported-order.ts'
import { type Item, type Query, queryPages } from '../query.ts'

/**
 * Yields the orders of a sale, or of a quarter of them, in a stable order, so that a read can resume after any of them. Not a
 * snapshot: orders written meanwhile may be missing.
 */
export async function* orderRows(
  table: Table,
  saleId: SaleId,
  after?: OrderId,
  quarter?: OrderQuarter,
): AsyncGenerator<readonly Order[]> {
  const from = after && orderKey(after)
  for await (const page of prefetchedPages(table, orderParts(saleId, quarter), from)) yield page.map(readOrderItem)
}

/**
 * Yields the facts of a report from the index of orders, also in a stable order: `after` is the place of an order. The index
 * lags behind the orders.
 */
export async function* reportedOrderRows(
  table: Table,
  saleId: SaleId,
  after?: OrderPlace,
  quarter?: OrderQuarter,
): AsyncGenerator<readonly ReportedOrder[]> {
  const from = after && { ...orderKey(after.orderId), listSk: sortableTime(after.reservedAt) }
  const pages = prefetchedPages(table, orderParts(saleId, quarter), from, {
    IndexName: ordersIndex,
    ProjectionExpression: `sk, ${reportedAttribute}`,
  })
  for await (const page of pages) yield reportedIn(table, page)
}

/** Reads the report lines of a page. A rolled-back version may have left lines of another form: reads those orders whole. */
async function reportedIn(table: Table, page: readonly Item[]): Promise<readonly ReportedOrder[]> {
  const read = page.map((item) => {
    const orderId = parseOrderId(item.sk)
    if (orderId === undefined) throw new UnexpectedItem('an entry of the orders of a sale', 'it must name one')
    return { orderId, row: readReportLine(orderId, item[reportedAttribute]) }
  })
  const earlier = read.flatMap(({ orderId, row }) => (row === undefined ? [orderId] : []))
  if (earlier.length === 0) return read.flatMap(({ row }) => row ?? [])
  const orders = await findWrittenOrders(table, earlier)
  return read.flatMap(({ orderId, row }) => {
    const order = orders.get(orderId)
    return row ?? (order === undefined ? [] : reportedOrder(order))
  })
}

/** Yields the items of `parts`, part by part in the order of the keys, and prefetches the next page. */
async function* prefetchedPages(
  table: Table,
  parts: readonly string[],
  after: ItemKey | undefined,
  query: Query = { ConsistentRead: true },
): AsyncGenerator<readonly Item[]> {
  const pages = allPages(table, parts, after, query)
  let next = pages.next()
  for (;;) {
    const page = await next
    if (page.done) return
    next = pages.next()
    // The reader may stop here. If it goes on, the failure shows with the next page.
    next.catch(() => undefined)
    yield page.value
  }
}

async function* allPages(
  table: Table,
  parts: readonly string[],
  after: ItemKey | undefined,
  query: Query,
): AsyncGenerator<readonly Item[]> {
  const rest = after === undefined ? parts : parts.slice(parts.indexOf(after.pk))
  for (const pk of rest) {
    yield* queryPages(
      table,
      { KeyConditionExpression: 'pk = :part', ExpressionAttributeValues: { ':part': pk }, ...query },
      pk === after?.pk ? after : undefined,
    )
  }
}
