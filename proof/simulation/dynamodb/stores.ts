/** Every store that a sale needs, over one table. */

import type { Table } from '../../../functions/table/dynamodb.ts'
import { dynamoOrderBook } from '../../../functions/table/orders/order-book.ts'

export type TableStores = ReturnType<typeof storesOf>

/** The stores of a table, as handlers connect them. */
export function storesOf(table: Table) {
  return {
    table,
    book: dynamoOrderBook(table),
  }
}
