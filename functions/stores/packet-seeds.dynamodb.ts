/** The secret seeds of sales of red packets: an item each, written once. */
import { randomBytes } from 'node:crypto'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { PacketSeeds } from '../sales/load-packets.ts'
import { seedBytes } from '../sales/seeded-random.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { seedKey } from './table.ts'

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
