/** Which orders have a delivery in DynamoDB, by key and expiry alone: no key of personal data is needed. */
import type { StoredDeliveries } from '../orders/delivery-seen.ts'
import { readBatch } from './batch.ts'
import type { Table } from './dynamodb.ts'
import { isKept } from './sealed-item.ts'
import { deliveryKey, orderOfDelivery } from './table.ts'

/** `clock` gives epoch ms. */
export function dynamoStoredDeliveries(table: Table, clock: () => number): StoredDeliveries {
  return {
    async among(orderIds) {
      const items = await readBatch(table, orderIds.map(deliveryKey))
      return new Set(
        items.filter((item) => isKept(item, clock())).map(({ pk }) => orderOfDelivery(String(pk))),
      )
    },
  }
}
