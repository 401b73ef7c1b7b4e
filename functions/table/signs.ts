/**
 * Signs of life: an item for each part that works where no request sees it. Each of its processes writes it at most
 * once a minute, and at once when a run fails that followed a good one, or the other way round.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { HealthPartName, workerParts } from '../../core/api/health.ts'
import { whole } from '../../core/lib/parse.ts'
import type { Table } from '../lib/shop/shop.ts'
import { errorFacts, type Log } from '../lib/telemetry.ts'
import { readStored } from './dynamodb.ts'
import { signKey, signsPk } from './keys.ts'
import { allOf } from './query.ts'

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

/** The parts that leave a sign, and two that have the troubles of sales as its names (`troubleName`). */
export type SigningPart =
  | Extract<
      HealthPartName,
      'writer' | 'reconcile' | 'tick' | 'canary' | 'payments' | 'mail' | (typeof workerParts)[number]
    >
  | (typeof signsOfSales)[number]

export const signsOfSales = ['reconciled-sales', 'paid-sales'] as const

const everyMs = 60_000

/** What failed in a run: a number of messages, or names. */
type Failed = number | readonly string[]

export type SignPorts = {
  clock: () => number
  log: Log
  /** @throws when the table is unavailable */
  put: (item: Record<string, string | number | readonly string[]>) => Promise<unknown>
}

/** Reports the end of a run. A sign that cannot be written is logged, and delays or fails nothing. */
export function signOf({ put, clock, log }: SignPorts, part: SigningPart): (failed?: Failed) => Promise<void> {
  let last: { at: number; isGood: boolean } | undefined
  return async (failed = 0) => {
    const at = clock()
    const names = typeof failed === 'number' ? [] : failed
    const count = typeof failed === 'number' ? failed : failed.length
    const isGood = count === 0
    if (last !== undefined && last.isGood === isGood && at - last.at < everyMs) return
    last = { at, isGood }
    try {
      await put({ ...signKey(part), at, failed: count, names })
    } catch (error) {
      log.warn('sign of life not written', { part, ...errorFacts(error) })
    }
  }
}
