/** A whole sale as the table knows it: its cap, and all its orders, which lie in parts. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { SaleId } from '../../core/ids.ts'
import { parse } from '../../core/parse.ts'
import type { ListedOrder, SaleOrders } from '../order-life/order-ledger.ts'
import { readCap } from './cap-item.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { storedFacts } from './order-item.ts'
import { type Item, queryPages } from './query.ts'
import { capKey, orderParts } from './table.ts'

const listedOrder = z.object(storedFacts)

/** An order is ten times what is asked of it here. Names that DynamoDB keeps for itself need another. */
const onlyListed = {
  ProjectionExpression: 'sk, quantity, shopperId, #status, reservedAt',
  ExpressionAttributeNames: { '#status': 'status' },
}

export function dynamoSaleOrders(table: Table): SaleOrders {
  const { client, name } = table
  return {
    async totals(saleId) {
      const get = new GetCommand({ TableName: name, Key: capKey(saleId), ConsistentRead: true })
      const { Item } = await client.send(get)
      return Item === undefined ? undefined : readCap(Item)
    },
    pages: (saleId) => pagesOf(table, saleId),
  }
}

/** All parts are read at once, a page ahead of whoever listens; pages come in no order. */
async function* pagesOf(table: Table, saleId: SaleId): AsyncGenerator<readonly ListedOrder[]> {
  const read = async (part: AsyncGenerator<readonly Item[]>) => ({ part, page: await part.next() })
  const coming = new Map(
    orderParts(saleId).map((pk) => {
      const part = queryPages(table, {
        KeyConditionExpression: 'pk = :part',
        ExpressionAttributeValues: { ':part': pk },
        ConsistentRead: true,
        ...onlyListed,
      })
      return [part, read(part)]
    }),
  )
  while (coming.size > 0) {
    const { part, page } = await Promise.race(coming.values())
    if (page.done) {
      coming.delete(part)
      continue
    }
    if (page.value.length > 0) yield page.value.map(readListed)
    coming.set(part, read(part))
  }
}

function readListed(item: Item): ListedOrder {
  const order = parse(listedOrder, item)
  if (!order.ok) throw new UnexpectedItem('an order', order.detail)
  const { sk: orderId, ...facts } = order.value
  return { orderId, ...facts }
}
