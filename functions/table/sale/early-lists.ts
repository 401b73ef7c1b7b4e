/** The lists of sales for early access in the table: an item for each shopper. */
import { parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { deleteBatch, putBatch, readBatch } from '../batch.ts'
import { type Table, UnexpectedItem } from '../dynamodb.ts'
import { earlyListKey, earlyListPk } from '../keys.ts'
import { type Item, queryAll } from '../query.ts'

/**
 * The truth. Adding and removing may be repeated.
 * @throws when the table is unavailable; a part of the shoppers may have been changed
 */
export type EarlyLists = {
  /** Those of the shoppers that are on the list. */
  among: (saleId: SaleId, shopperIds: readonly ShopperId[]) => Promise<ReadonlySet<ShopperId>>
  add: (saleId: SaleId, shopperIds: readonly ShopperId[]) => Promise<void>
  remove: (saleId: SaleId, shopperIds: readonly ShopperId[]) => Promise<void>
  /** The whole list in the order of ids. */
  all: (saleId: SaleId) => Promise<readonly ShopperId[]>
}

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
