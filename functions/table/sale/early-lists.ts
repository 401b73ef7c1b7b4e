/** The lists of sales for early access in the table: an item for each shopper, with the only `variant` of one who has one. */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { type ListMember, parseListMember, partsOfMember } from '../../../core/sale/early-access.ts'
import type { Table } from '../../lib/shop/table.ts'
import { deleteBatch, putBatch } from '../batch.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { earlyListKey, earlyListPk } from '../keys.ts'
import { allOf, type Item } from '../query.ts'

/**
 * May be repeated.
 * @throws when the table is unavailable; a part of the members may have been added
 */
export function addEarlyShoppers(table: Table, saleId: SaleId, members: readonly ListMember[]): Promise<void> {
  const items = [...new Set(members)].map((member) => {
    const { shopperId, variant } = partsOfMember(member)
    return { ...earlyListKey(saleId, shopperId), ...(variant && { variant }) }
  })
  return putBatch(table, items)
}

/** The opposite of `addEarlyShoppers`, with its failures. */
export function removeEarlyShoppers(table: Table, saleId: SaleId, shopperIds: readonly ShopperId[]): Promise<void> {
  return deleteBatch(table, keysOf(saleId, shopperIds))
}

/** The whole list in the order of ids. @throws when the table is unavailable */
export async function allEarlyShoppers(table: Table, saleId: SaleId): Promise<readonly ListMember[]> {
  const items = await allOf(table, earlyListPk(saleId))
  return items.map(memberIn)
}

const keysOf = (saleId: SaleId, shopperIds: readonly ShopperId[]) =>
  [...new Set(shopperIds)].map((shopperId) => earlyListKey(saleId, shopperId))

function memberIn({ sk, variant }: Item): ListMember {
  const member = parseListMember(variant === undefined ? sk : `${sk} ${variant}`)
  if (member === undefined)
    throw new UnexpectedItem('a shopper with early access', 'it must have a shopper id, and a variant at most')
  return member
}
