/** Reads the heartbeats of all parts, and writes them with the SDK. */

import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { whole } from '../../core/lib/parse.ts'
import type { Table } from '../lib/shop/shop.ts'
import { readStored } from './dynamodb.ts'
import type { HeartbeatPorts } from './heartbeat.ts'
import { heartbeatsPk } from './keys.ts'
import { queryPartition } from './query.ts'

const max = Number.MAX_SAFE_INTEGER
const storedHeartbeat = z.object({
  sk: z.string(),
  at: whole(0, max),
  failed: whole(0, max),
  names: z.array(z.string('must be a string')),
})

/** When the part ended a run, epoch ms, the number of failures in it, and their names if they have some. */
export type Heartbeat = Omit<z.infer<typeof storedHeartbeat>, 'sk'>

export const heartbeatPut =
  ({ client, name }: Table): HeartbeatPorts['put'] =>
  (Item) =>
    client.send(new PutCommand({ TableName: name, Item }))

/** Returns the last heartbeat of each part that ever wrote one. @throws when the table is unavailable, UnexpectedItem */
export async function readHeartbeats(table: Table): Promise<ReadonlyMap<string, Heartbeat>> {
  const items = await queryPartition(table, heartbeatsPk)
  return new Map(
    items.map((item) => {
      const { sk, ...heartbeat } = readStored('a heartbeat', storedHeartbeat, item)
      return [sk, heartbeat] as const
    }),
  )
}
