/** The typed face of complete-admissions.lua: clicks that were let through and decided make room for others at once (G5, G7). */
import type { SaleId } from '../core/ids.ts'
import { inOneArgument } from './batch.ts'
import type { Commander } from './command.ts'
import source from './complete-admissions.lua'
import { admissionsKey } from './keys.ts'
import { kindOf } from './reply.ts'
import { defineScript } from './script.ts'

export const completeAdmissionsScript = defineScript('complete-admissions', source)
export const completeAdmissionsCodes = { completed: 1, unknown: 10 } as const

/** How many units a decided click left booked, and the revision of the stock that it found. */
export type StockSeen = { booked: number; stockRevision: number }

/**
 * Decided clicks of one sale. `seconds` are the epoch seconds of their admissions, at most `maxOrdersPerCall`; `now` (epoch
 * ms) is taken after all of them were decided; `seen` is the latest of what they saw, undefined when none told.
 */
export type CompletedAdmissions = { seconds: readonly number[]; seen: StockSeen | undefined; now: number }

/**
 * Gives the places of decided clicks free. To be called once for each: told twice, it would free somebody else's place.
 * @throws RedisUnavailable, UnexpectedReply, RangeError
 */
export async function completeAdmissions(
  redis: Commander,
  saleId: SaleId,
  { seconds, seen, now }: CompletedAdmissions,
): Promise<void> {
  const told = [seen?.booked ?? '', seen?.stockRevision ?? ''].map(String)
  const args = [String(now), inOneArgument(seconds.map(String), ' '), ...told]
  const [code] = await completeAdmissionsScript.run(redis, [admissionsKey(saleId)], args)
  kindOf(completeAdmissionsCodes, code, 'complete-admissions')
}

/**
 * What has everything in it that the others saw: within a revision of the stock the most that was booked, and a later
 * revision whatever it has.
 */
export function latestSeen(seen: readonly StockSeen[]): StockSeen | undefined {
  const [latest] = seen.toSorted((a, b) => b.stockRevision - a.stockRevision || b.booked - a.booked)
  return latest
}
