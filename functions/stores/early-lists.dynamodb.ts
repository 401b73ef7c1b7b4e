/** The lists of sales for early access in the table: an item for each shopper. */
import { parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import type { EarlyLists } from '../repair/early-list.ts'
import { deleteBatch, putBatch, readBatch } from './batch.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { type Item, queryAll } from './query.ts'
import { earlyListKey, earlyListPk } from './table.ts'

export function dynamoEarlyLists(table: Table): EarlyLists {
  const keysOf = (saleId: SaleId, shopperIds: readonly ShopperId[]) =>
    [...new Set(shopperIds)].map((shopperId) => earlyListKey(saleId, shopperId))
  return {
    async among(saleId, shopperIds) {
      const items = await readBatch(table, keysOf(saleId, shopperIds))
      return new Set(items.map(shopperIn))
    },
    add: (saleId, shopperIds) => putBatch(table, keysOf(saleId, shopperIds)),
    remove: (saleId, shopperIds) => deleteBatch(table, keysOf(saleId, shopperIds)),
    async all(saleId) {
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :list',
        ExpressionAttributeValues: { ':list': earlyListPk(saleId) },
        ConsistentRead: true,
      })
      return items.map(shopperIn)
    },
  }
}

function shopperIn({ sk }: Item): ShopperId {
  const shopperId = parseShopperId(sk)
  if (shopperId === undefined)
    throw new UnexpectedItem('a shopper with early access', 'its key must end with a shopper id')
  return shopperId
}
