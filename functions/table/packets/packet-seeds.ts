/** The secret seeds that red packets are split from, one item for each sale, written once. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { conditionHeld, findItem, readStored, UnexpectedItem } from '../dynamodb.ts'
import { seedKey } from '../keys.ts'

export const seedBytes = 32

const seedItem = z.object({
  seed: z.custom<Uint8Array>(
    (seed) => seed instanceof Uint8Array && seed.length === seedBytes,
    `must be ${seedBytes} bytes`,
  ),
})

/** Returns the seed of a sale, and creates it at the first call. @throws when the table is unavailable, UnexpectedItem */
export async function packetSeed(table: Table, saleId: SaleId, fresh: () => Uint8Array): Promise<Uint8Array> {
  const found = await findItem(table, seedKey(saleId))
  if (found !== undefined) return readSeed(found)
  const put = new PutCommand({
    TableName: table.name,
    Item: { ...seedKey(saleId), seed: fresh() },
    ConditionExpression: 'attribute_not_exists(pk)',
  })
  await conditionHeld(table.client.send(put))
  const written = await findItem(table, seedKey(saleId))
  if (written === undefined) throw new UnexpectedItem('a seed', 'it is gone')
  return readSeed(written)
}

const readSeed = (item: unknown) => readStored('a seed', seedItem, item).seed
