/** The shoppers who may buy in a sale that draws, in the table: an item for each, with the only `variant` of one who has one. */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { type ListMember, parseListMember, partsOfMember } from '../../../core/sale/sale-draw.ts'
import type { Table } from '../../lib/shop/table.ts'
import { deleteBatch, putBatch } from '../batch.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { invitedListPk, invitedShopperKey } from '../keys.ts'
import { allOf, type Item } from '../query.ts'

/**
 * May be repeated.
 * @throws when the table is unavailable; a part of the members may have been added
 */
export function addInvited(table: Table, saleId: SaleId, members: readonly ListMember[]): Promise<void> {
  const items = [...new Set(members)].map((member) => {
    const { shopperId, variant } = partsOfMember(member)
    return { ...invitedShopperKey(saleId, shopperId), ...(variant && { variant }) }
  })
  return putBatch(table, items)
}

/** The opposite of `addInvited`, with its failures. */
export function removeInvited(table: Table, saleId: SaleId, shopperIds: readonly ShopperId[]): Promise<void> {
  return deleteBatch(table, keysOf(saleId, shopperIds))
}

/** The whole list in the order of ids. @throws when the table is unavailable */
export async function allInvited(table: Table, saleId: SaleId): Promise<readonly ListMember[]> {
  const items = await allOf(table, invitedListPk(saleId))
  return items.map(memberIn)
}

const keysOf = (saleId: SaleId, shopperIds: readonly ShopperId[]) =>
  [...new Set(shopperIds)].map((shopperId) => invitedShopperKey(saleId, shopperId))

function memberIn({ sk, variant }: Item): ListMember {
  const member = parseListMember(variant === undefined ? sk : `${sk} ${variant}`)
  if (member === undefined)
    throw new UnexpectedItem('an invited shopper', 'it must have a shopper id, and a variant at most')
  return member
}
