/** The invited shoppers of a sale by invitation, an item for each, and the key of their cookies. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import { listMember } from '../../../core/sale/invited.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { deleteBatch, putBatch } from '../batch.ts'
import { findItem, readStored } from '../dynamodb.ts'
import { invitedListPk, invitedShopperKey, listKeyKey } from '../keys.ts'
import { queryPartition } from '../query.ts'

/** An invited shopper. With a `variant` the shopper may only buy that one. */
type Invited = { shopperId: ShopperId; variant?: string | undefined }
const invited = z.object({
  sk: readBy(parseShopperId, 'must be a shopper id'),
  variant: z.optional(z.string()),
})

/** Adds shoppers to the list of the sale. Safe to repeat. @throws when the table is unavailable; some may have been added */
export function addInvited(table: Table, saleId: SaleId, shoppers: readonly Invited[]): Promise<void> {
  return putBatch(
    table,
    shoppers.map(({ shopperId, variant }) => ({
      ...invitedShopperKey(saleId, shopperId),
      ...(variant && { variant }),
    })),
  )
}

/** Removes shoppers from the list. Safe to repeat. @throws as `addInvited` */
export function removeInvited(table: Table, saleId: SaleId, shoppers: readonly Invited[]): Promise<void> {
  return deleteBatch(
    table,
    shoppers.map(({ shopperId }) => invitedShopperKey(saleId, shopperId)),
  )
}

/** Returns all members of the list in the order of ids. @throws when the table is unavailable */
export async function allInvited(table: Table, saleId: SaleId): Promise<readonly string[]> {
  const items = await queryPartition(table, invitedListPk(saleId))
  return items.map((item) => {
    const { sk, variant } = readStored('an invited shopper', invited, item)
    return listMember(sk, variant)
  })
}

const storedKey = z.object({ key: z.string() })

/**
 * Returns the key that signs the cookies of the list (core/gate/pass.ts), undefined before the list has one. It only opens the
 * way to the gate, which checks the list itself.
 * @throws when the table is unavailable, UnexpectedItem
 */
export async function findListKey(table: Table, saleId: SaleId): Promise<string | undefined> {
  const item = await findItem(table, listKeyKey(saleId))
  return item && readStored('the key of a list', storedKey, item).key
}

/** Creates a new key for the list and replaces an existing one. */
export function makeListKey(table: Table, saleId: SaleId): Promise<void> {
  return putBatch(table, [{ ...listKeyKey(saleId), key: randomBytes(32).toString('base64url') }])
}
