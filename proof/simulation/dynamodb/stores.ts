/** Every store that a sale needs, over one table. */

import type { Table } from '../../../functions/table/dynamodb.ts'
import { enterCoupons } from '../../../functions/table/orders/coupon-orders.ts'
import { dynamoOrderBook } from '../../../functions/table/orders/order-book.ts'
import { dynamoOrderLedger } from '../../../functions/table/orders/order-ledger.ts'
import { dynamoOrders } from '../../../functions/table/orders/orders.ts'

export type TableStores = ReturnType<typeof storesOf>

/** The stores of a table, as handlers connect them. */
export function storesOf(table: Table) {
  const { find, findMany, page } = dynamoOrders(table)
  return {
    table,
    book: enterCoupons(table, dynamoOrderBook(table)),
    ledger: dynamoOrderLedger(table),
    orderLists: { find, findMany, page },
  }
}
