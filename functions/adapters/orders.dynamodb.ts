/** Written orders, read from DynamoDB. */
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Orders } from '../orders/orders.ts'
import type { Table } from './dynamodb.ts'
import { readOrderItem } from './order-item.ts'
import { listIndex, orderKey, shopperList } from './table.ts'

/** A shopper's list shows this many of the newest; limits per shopper keep real lists far shorter. */
const maxListed = 100

export function dynamoOrders({ client, name }: Table): Orders {
  return {
    async find(orderId) {
      const get = new GetCommand({ TableName: name, Key: orderKey(orderId), ConsistentRead: true })
      const { Item } = await client.send(get)
      return Item === undefined ? undefined : readOrderItem(Item)
    },
    async ofShopper(shopperId) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: name,
          IndexName: listIndex,
          KeyConditionExpression: 'listPk = :shopper',
          ExpressionAttributeValues: { ':shopper': shopperList(shopperId) },
          ScanIndexForward: false,
          Limit: maxListed,
        }),
      )
      return Items.map(readOrderItem)
    },
  }
}
