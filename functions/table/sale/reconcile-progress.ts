/** The progress of the scheduled runs through the sales, kept between runs in one item. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { whole } from '../../../core/lib/parse.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { findItem, readStored } from '../dynamodb.ts'
import { progressKey } from '../keys.ts'

const max = Number.MAX_SAFE_INTEGER
const progress = z.object({
  after: z.optional(z.string('must be a string')),
  begun: whole(0, max),
  round: whole(0, max),
})

/**
 * The progress of runs through a list of ids that is processed again and again. `after` is the last processed id, in round
 * `round`; `begun` counts the runs since then that came no further.
 */
export type Progress = z.infer<typeof progress>

const stored = z.object({ warmed: progress, drafts: progress })

/** The progress through the ids of warmed sales, and of drafts (functions/repair/visits.ts). */
export type ReconcileProgress = z.infer<typeof stored>

/** The progress before the first run. */
export const noProgress: ReconcileProgress = { warmed: { begun: 0, round: 0 }, drafts: { begun: 0, round: 0 } }

/** Reads the progress. @throws when the table is unavailable, UnexpectedItem */
export async function readProgress(table: Table): Promise<ReconcileProgress> {
  const item = await findItem(table, progressKey)
  return item === undefined ? noProgress : readStored('the progress of reconcile', stored, item)
}

/** Saves the progress. The last of two concurrent runs wins, because both visit every sale in any order. */
export async function saveProgress({ client, name }: Table, progress: ReconcileProgress): Promise<void> {
  await client.send(new PutCommand({ TableName: name, Item: { ...progressKey, ...progress } }))
}
