/** Due releases: one item each, written with the order that lost its units, deleted once Redis has released them. */
import { type OrderId, parseOrderId, parseShopperId, type SaleId } from '../../../core/ids.ts'
import type { FinalOrder, Order } from '../../../core/orders/order.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { deleteBatch } from '../batch.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { releaseKey, releasesOf } from '../keys.ts'
import { type Item, queryPartition } from '../query.ts'
import type { TransactionItem } from '../transaction.ts'

/** Returns the orders whose units the table has released and Redis may still hold. */
export async function dueReleases(table: Table, saleId: SaleId): Promise<readonly FinalOrder[]> {
  const items = await queryPartition(table, releasesOf(saleId))
  return items.map(readRelease)
}

/** Deletes releases whose units Redis has released. Safe to repeat. */
export function deleteReleases(table: Table, saleId: SaleId, orderIds: readonly OrderId[]): Promise<void> {
  return deleteBatch(
    table,
    [...new Set(orderIds)].map((orderId) => releaseKey(saleId, orderId)),
  )
}

/** Records a due release, in every transaction that takes an order's units from it, which happens once. */
export function releasePut(
  TableName: string,
  { saleId, orderId, shopperId }: Pick<Order, 'saleId' | 'orderId' | 'shopperId'>,
): TransactionItem {
  return { Put: { TableName, Item: { ...releaseKey(saleId, orderId), shopperId } } }
}

function readRelease(item: Item): FinalOrder {
  const orderId = parseOrderId(item.sk)
  if (orderId === undefined) throw new UnexpectedItem('a release', 'its key must end with an order id')
  const shopperId = parseShopperId(item.shopperId)
  if (shopperId === undefined) throw new UnexpectedItem('a release', 'it must name the shopper')
  return { orderId, shopperId }
}
