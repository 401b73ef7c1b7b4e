/** Which orders have a delivery in DynamoDB, by key and expiry alone: no key of personal data is needed. */

import type { OrderId } from '../../../core/ids.ts'
import { readBatch } from '../batch.ts'
import type { Table } from '../dynamodb.ts'
import { deliveryKey, orderOfDelivery } from '../keys.ts'
import { isKept } from './sealed-item.ts'

/** The deliveries in the table, by their orders; it needs no key. */
export type StoredDeliveries = {
  /** At most one read: those of `orderIds`, at most 100, that have one. Strongly consistent. */
  among: (orderIds: readonly OrderId[]) => Promise<ReadonlySet<OrderId>>
}

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
