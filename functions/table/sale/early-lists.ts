/** The lists of sales for early access in the table: an item for each shopper. */
import { parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { deleteBatch, putBatch, readBatch } from '../batch.ts'
import { type Table, UnexpectedItem } from '../dynamodb.ts'
import { earlyListKey, earlyListPk } from '../keys.ts'
import { type Item, queryAll } from '../query.ts'

/** Those of the shoppers that are on the list. @throws when the table is unavailable */
export async function earlyShoppersAmong(
  table: Table,
  saleId: SaleId,
  shopperIds: readonly ShopperId[],
): Promise<ReadonlySet<ShopperId>> {
  const items = await readBatch(table, keysOf(saleId, shopperIds))
  return new Set(items.map(shopperIn))
}

/**
 * May be repeated.
 * @throws when the table is unavailable; a part of the shoppers may have been added
 */
export function addEarlyShoppers(
  table: Table,
  saleId: SaleId,
  shopperIds: readonly ShopperId[],
): Promise<void> {
  return putBatch(table, keysOf(saleId, shopperIds))
}

/** The opposite of `addEarlyShoppers`, with its failures. */
export function removeEarlyShoppers(
  table: Table,
  saleId: SaleId,
  shopperIds: readonly ShopperId[],
): Promise<void> {
  return deleteBatch(table, keysOf(saleId, shopperIds))
}

/** The whole list in the order of ids. @throws when the table is unavailable */
export async function allEarlyShoppers(table: Table, saleId: SaleId): Promise<readonly ShopperId[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :list',
    ExpressionAttributeValues: { ':list': earlyListPk(saleId) },
    ConsistentRead: true,
  })
  return items.map(shopperIn)
}

const keysOf = (saleId: SaleId, shopperIds: readonly ShopperId[]) =>
  [...new Set(shopperIds)].map((shopperId) => earlyListKey(saleId, shopperId))

function shopperIn({ sk }: Item): ShopperId {
  const shopperId = parseShopperId(sk)
  if (shopperId === undefined)
    throw new UnexpectedItem('a shopper with early access', 'its key must end with a shopper id')
  return shopperId
}
