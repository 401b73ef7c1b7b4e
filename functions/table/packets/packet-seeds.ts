/** The secret seeds of sales of red packets, an item each, written once; ../draw/split-rounds.ts has what is mixed in. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import type { Table } from '../../lib/shop/table.ts'
import { findItem, hasHeld, readStored, UnexpectedItem } from '../dynamodb.ts'
import { seedKey } from '../keys.ts'

export const seedBytes = 32

const seedItem = z.object({
  seed: z.custom<Uint8Array>(
    (seed) => seed instanceof Uint8Array && seed.length === seedBytes,
    `must be ${seedBytes} bytes`,
  ),
  splitAt: z.optional(z.number()),
})

/** `splitAt` is when the round is due that is mixed in, epoch ms; absent for a sale whose split is not announced. */
export type PacketSeed = z.output<typeof seedItem>

/** The seed of a sale; undefined before its packets were first to be loaded. @throws when the table is unavailable, UnexpectedItem */
export async function findPacketSeed(table: Table, saleId: SaleId): Promise<PacketSeed | undefined> {
  const item = await findItem(table, seedKey(saleId))
  return item && readStored('a seed', seedItem, item)
}

/**
 * The seed of a sale, made when it is first asked for and the same ever after.
 * @throws when the table is unavailable, UnexpectedItem
 */
export async function packetSeed(table: Table, saleId: SaleId, fresh: () => PacketSeed): Promise<PacketSeed> {
  const found = await findPacketSeed(table, saleId)
  if (found !== undefined) return found
  const put = new PutCommand({
    TableName: table.name,
    Item: { ...seedKey(saleId), ...fresh() },
    ConditionExpression: 'attribute_not_exists(pk)',
  })
  await hasHeld(table.client.send(put))
  const written = await findPacketSeed(table, saleId)
  if (written === undefined) throw new UnexpectedItem('a seed', 'it is gone')
  return written
}
