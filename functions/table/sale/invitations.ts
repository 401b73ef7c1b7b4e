/**
 * Invitations to the list of a sale for early access: an item for each code, under its digest. A redemption writes the
 * code and the place on the list in one transaction, so a code brings one shopper onto it, once and for good.
 */
import { parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import type { Table } from '../../lib/shop/table.ts'
import { putBatch, readBatch } from '../batch.ts'
import { findItem, UnexpectedItem } from '../dynamodb.ts'
import { earlyListKey, invitationKey, invitationsOf } from '../keys.ts'
import { queryPages } from '../query.ts'
import { transact } from '../transaction.ts'

/** Those of the digests that are kept. @throws when the table is unavailable */
export async function invitationsAmong(
  table: Table,
  saleId: SaleId,
  digests: readonly string[],
): Promise<ReadonlySet<string>> {
  const items = await readBatch(
    table,
    digests.map((digest) => invitationKey(saleId, digest)),
  )
  return new Set(items.map(({ sk }) => String(sk)))
}

/** Digests that are not kept yet. @throws when the table is unavailable; some may have been added */
export function addInvitations(table: Table, saleId: SaleId, digests: readonly string[]): Promise<void> {
  return putBatch(
    table,
    digests.map((digest) => invitationKey(saleId, digest)),
  )
}

/** How many codes of the sale there are, and how many were redeemed. It reads all of them. */
export async function countInvitations(table: Table, saleId: SaleId): Promise<{ issued: number; redeemed: number }> {
  const counts = { issued: 0, redeemed: 0 }
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :invitations',
    ExpressionAttributeValues: { ':invitations': invitationsOf(saleId) },
    ConsistentRead: true,
  })
  for await (const page of pages) {
    counts.issued += page.length
    counts.redeemed += page.filter(({ shopperId }) => shopperId !== undefined).length
  }
  return counts
}

/** Who has redeemed the code, `open` before; undefined for an unknown one. Strongly consistent. */
export async function redeemerOf(
  table: Table,
  saleId: SaleId,
  digest: string,
): Promise<ShopperId | 'open' | undefined> {
  const item = await findItem(table, invitationKey(saleId, digest))
  if (item === undefined) return undefined
  if (item.shopperId === undefined) return 'open'
  const shopperId = parseShopperId(item.shopperId)
  if (shopperId === undefined) throw new UnexpectedItem('an invitation', 'its shopper must be a shopper id')
  return shopperId
}

/**
 * Gives the open code to the shopper, and the shopper a place on the list, at `now` (epoch ms). False when another
 * request was faster.
 * @throws when the table is unavailable
 */
export async function takeInvitation(
  table: Table,
  saleId: SaleId,
  digest: string,
  { shopperId, now }: { shopperId: ShopperId; now: number },
): Promise<boolean> {
  const TableName = table.name
  const taken = await transact(table, [
    {
      Update: {
        TableName,
        Key: invitationKey(saleId, digest),
        UpdateExpression: 'SET shopperId = :shopper, redeemedAt = :now',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(shopperId)',
        ExpressionAttributeValues: { ':shopper': shopperId, ':now': now },
      },
    },
    { Put: { TableName, Item: earlyListKey(saleId, shopperId) } },
  ])
  return taken === 'written'
}
