/** Which orders have a delivery in DynamoDB, by key and expiry alone: no key of personal data is needed. */

import type { OrderId } from '../../../core/ids.ts'
import { readBatch } from '../batch.ts'
import type { Table } from '../dynamodb.ts'
import { deliveryKey, orderOfDelivery } from '../keys.ts'
import { isKept } from './sealed-item.ts'

/** At most one read: those of `orderIds`, at most 100, that have a delivery at `now` (epoch ms). Strongly consistent. */
export async function ordersWithDelivery(
  table: Table,
  orderIds: readonly OrderId[],
  now: number,
): Promise<ReadonlySet<OrderId>> {
  const items = await readBatch(table, orderIds.map(deliveryKey))
  return new Set(items.filter((item) => isKept(item, now)).map(({ pk }) => orderOfDelivery(String(pk))))
}
