/** The secret seeds of sales of red packets: an item each, written once. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { SaleId } from '../../../core/ids.ts'
import { type Table, UnexpectedItem } from '../dynamodb.ts'
import { seedKey } from '../keys.ts'

/** Bytes of a seed: the key of AES-256. */
export const seedBytes = 32

/**
 * The seed of a sale, drawn when it is first asked for and the same ever after. `draw` makes the bytes of a new one.
 */
export async function packetSeed(
  { client, name }: Table,
  saleId: SaleId,
  draw: (bytes: number) => Uint8Array,
): Promise<Uint8Array> {
  const update = new UpdateCommand({
    TableName: name,
    Key: seedKey(saleId),
    UpdateExpression: 'SET seed = if_not_exists(seed, :fresh)',
    ExpressionAttributeValues: { ':fresh': draw(seedBytes) },
    ReturnValues: 'ALL_NEW',
  })
  const { Attributes } = await client.send(update)
  const seed: unknown = Attributes?.seed
  if (!(seed instanceof Uint8Array) || seed.length !== seedBytes) {
    throw new UnexpectedItem('a seed', `it must have ${seedBytes} bytes`)
  }
  return seed
}
