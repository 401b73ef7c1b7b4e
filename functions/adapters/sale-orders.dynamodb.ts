/** A whole sale as the table knows it: its cap, and all its orders through the index `sale`. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { SaleId } from '../../core/ids.ts'
import { parse } from '../../core/parse.ts'
import type { ListedOrder, SaleOrders } from '../order-life/order-ledger.ts'
import { readCap } from './cap-item.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { orderIdOf, storedFacts } from './order-item.ts'
import { type Item, queryPages } from './query.ts'
import { capKey, saleIndex, saleShards } from './table.ts'

const listedOrder = z.object(storedFacts)

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

/** All shards are read at once, a page ahead of whoever listens; pages come in no order. */
async function* pagesOf(table: Table, saleId: SaleId): AsyncGenerator<readonly ListedOrder[]> {
  const read = async (shard: AsyncGenerator<readonly Item[]>) => ({ shard, page: await shard.next() })
  const coming = new Map(
    saleShards(saleId).map((salePk) => {
      const shard = queryPages(table, {
        IndexName: saleIndex,
        KeyConditionExpression: 'salePk = :shard',
        ExpressionAttributeValues: { ':shard': salePk },
      })
      return [shard, read(shard)]
    }),
  )
  while (coming.size > 0) {
    const { shard, page } = await Promise.race(coming.values())
    if (page.done) {
      coming.delete(shard)
      continue
    }
    if (page.value.length > 0) yield page.value.map(readListed)
    coming.set(shard, read(shard))
  }
}

function readListed(item: Item): ListedOrder {
  const order = parse(listedOrder, item)
  if (!order.ok) throw new UnexpectedItem('an order of the index', order.detail)
  const { pk, ...facts } = order.value
  return { orderId: orderIdOf(pk), ...facts }
}
