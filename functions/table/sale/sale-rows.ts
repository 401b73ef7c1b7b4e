/** All orders or packets of a sale, part by part, from any of them on. */

import type { OrderId, OrderQuarter, SaleId } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type ItemKey, orderKey, orderParts, packetKey, packetParts } from '../keys.ts'
import { onlyReported, type ReportedOrder, readOrderItem, readReportedOrder } from '../orders/order-item.ts'
import { type CreditedClaim, readPacket } from '../packets/claim-ledger.ts'
import type { QueriedAttributes } from '../partitions.ts'
import { type Item, queryPages } from '../query.ts'

/**
 * The orders of a sale, or of a quarter of them, in an order that stays the same, so that a walk can go on behind any of
 * them. They are no snapshot: what is written meanwhile may be missing.
 */
export async function* orderRows(
  table: Table,
  saleId: SaleId,
  after?: OrderId,
  quarter?: OrderQuarter,
): AsyncGenerator<readonly Order[]> {
  const from = after && orderKey(after)
  for await (const page of pagesBehind(table, orderParts(saleId, quarter), from))
    yield page.map(readOrderItem)
}

/** The same with what a report reads of them. */
export async function* reportedOrderRows(
  table: Table,
  saleId: SaleId,
  after?: OrderId,
  quarter?: OrderQuarter,
): AsyncGenerator<readonly ReportedOrder[]> {
  const from = after && orderKey(after)
  const pages = pagesBehind(table, orderParts(saleId, quarter), from, onlyReported)
  for await (const page of pages) yield page.map(readReportedOrder)
}

/** The same of its credited packets; `after` is the number of one. */
export async function* packetRows(
  table: Table,
  saleId: SaleId,
  after?: number,
): AsyncGenerator<readonly CreditedClaim[]> {
  const from = after === undefined ? undefined : packetKey(saleId, after)
  for await (const page of pagesBehind(table, packetParts(saleId), from)) yield page.map(readPacket)
}

/** The items of `parts`, one part after the other, each in the order of its keys; the next page is on its way meanwhile. */
async function* pagesBehind(
  table: Table,
  parts: readonly string[],
  after: ItemKey | undefined,
  wanted: QueriedAttributes = {},
): AsyncGenerator<readonly Item[]> {
  const pages = allPages(table, parts, after, wanted)
  let next = pages.next()
  for (;;) {
    const page = await next
    if (page.done) return
    next = pages.next()
    // The reader may stop here. If not, the failure shows with the next page.
    next.catch(() => undefined)
    yield page.value
  }
}

async function* allPages(
  table: Table,
  parts: readonly string[],
  after: ItemKey | undefined,
  wanted: QueriedAttributes,
): AsyncGenerator<readonly Item[]> {
  const rest = after === undefined ? parts : parts.slice(parts.indexOf(after.pk))
  for (const pk of rest) {
    const isFirst = pk === after?.pk
    yield* queryPages(table, {
      KeyConditionExpression: isFirst ? 'pk = :part AND sk > :after' : 'pk = :part',
      ExpressionAttributeValues: { ':part': pk, ...(isFirst && { ':after': after?.sk }) },
      ConsistentRead: true,
      ...wanted,
    })
  }
}
