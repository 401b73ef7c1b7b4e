/** Written orders, read from DynamoDB. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { Orders } from '../orders/orders.ts'
import type { Table } from './dynamodb.ts'
import { readList } from './list.ts'
import { readOrderItem } from './order-item.ts'
import { orderKey, shopperList } from './table.ts'

/** A shopper's list shows this many of the newest; limits per shopper keep real lists far shorter. */
const maxListed = 100

export function dynamoOrders(table: Table): Orders {
  const { client, name } = table
  return {
    async find(orderId) {
      const get = new GetCommand({ TableName: name, Key: orderKey(orderId), ConsistentRead: true })
      const { Item } = await client.send(get)
      return Item === undefined ? undefined : readOrderItem(Item)
    },
    async ofShopper(shopperId) {
      const items = await readList(table, shopperList(shopperId), { newestFirst: true, limit: maxListed })
      return items.map(readOrderItem)
    },
  }
}
