/** The signs of life of all parts, and how functions with the SDK leave theirs. */

import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { whole } from '../../core/lib/parse.ts'
import type { Table } from '../lib/shop/shop.ts'
import { readStored } from './dynamodb.ts'
import { signsPk } from './keys.ts'
import { allOf } from './query.ts'
import type { SignPorts } from './sign-of-life.ts'

const max = Number.MAX_SAFE_INTEGER
const storedSign = z.object({
  sk: z.string(),
  at: whole(0, max),
  failed: whole(0, max),
  names: z.array(z.string('must be a string')),
})

/** When the part ended a run, epoch ms; how much of it failed, and what, where that has a name. */
export type Sign = Omit<z.infer<typeof storedSign>, 'sk'>

/** Writes signs with the SDK. */
export const signPut =
  ({ client, name }: Table): SignPorts['put'] =>
  (Item) =>
    client.send(new PutCommand({ TableName: name, Item }))

/** The last sign of each part that ever left one. @throws when the table is unavailable, UnexpectedItem */
export async function readSigns(table: Table): Promise<ReadonlyMap<string, Sign>> {
  const items = await allOf(table, signsPk)
  return new Map(
    items.map((item) => {
      const { sk, ...sign } = readStored('a sign of life', storedSign, item)
      return [sk, sign] as const
    }),
  )
}
