/** Which orders have a delivery in DynamoDB, by key and expiry alone: no key of personal data is needed. */
import type { OrderId } from '../../../core/ids.ts'
import { countryIn } from '../../../core/people/delivery.ts'
import type { Table } from '../../lib/shop/table.ts'
import { readBatch } from '../batch.ts'
import { deliveryKey, orderOfDelivery } from '../keys.ts'
import { isKept } from './sealed-item.ts'

/** The country of each delivery by its order; one of an earlier version has none. */
export type StoredDeliveries = ReadonlyMap<OrderId, string | undefined>

/** Those of at most 100 `orderIds` with a delivery at `now` (epoch ms), with its country. Strongly consistent. */
export async function ordersWithDelivery(
  table: Table,
  orderIds: readonly OrderId[],
  now: number,
): Promise<StoredDeliveries> {
  const items = await readBatch(table, orderIds.map(deliveryKey))
  const kept = items.filter((item) => isKept(item, now))
  return new Map(kept.map(({ pk, country }) => [orderOfDelivery(String(pk)), countryIn(country)]))
}
