/** The secret seeds of sales of red packets: an item each, written once. */
import { randomBytes } from 'node:crypto'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { SaleId } from '../../../core/ids.ts'
import { type Table, UnexpectedItem } from '../dynamodb.ts'
import { seedKey } from '../keys.ts'

/** Bytes of a seed: the key of AES-256. */
export const seedBytes = 32

/**
 * The seed of a sale: 32 random bytes, drawn when it is first asked for and the same ever after.
 */
export type PacketSeeds = { of: (saleId: SaleId) => Promise<Uint8Array> }

/** `draw` makes the bytes of a new seed. */
export function dynamoPacketSeeds({ client, name }: Table, draw = randomBytes): PacketSeeds {
  return {
    async of(saleId) {
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
    },
  }
}
