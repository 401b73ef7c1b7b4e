/** Runs complete-admissions.lua, which frees the admissions of decided requests at once (G5, G7). */
import type { SaleId } from '../../core/ids.ts'
import { inOneArgument } from '../batch.ts'
import type { Commander } from '../command.ts'
import { admissionsKey } from '../keys.ts'
import { kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './complete-admissions.lua'

const completeAdmissionsScript = defineScript('complete-admissions', source)
const completeAdmissionsCodes = { completed: 1, unknown: 10 } as const

/** The booked units after a request, and the revision of the stock. */
export type StockSeen = { booked: number; stockRevision: number }

/**
 * Decided requests of one sale. `seconds` are the epoch seconds of their admissions, at most `maxOrdersPerCall`. `now`
 * (epoch ms) is read after all were decided. `seen` is the latest stock that they reported, undefined without a report.
 */
export type CompletedAdmissions = { seconds: readonly number[]; seen: StockSeen | undefined; now: number }

/**
 * Completes the admissions. Call once per request: a second call would free another request's admission.
 * @throws RedisUnavailable, UnexpectedReply, RangeError
 */
export async function completeAdmissions(
  redis: Commander,
  saleId: SaleId,
  { seconds, seen, now }: CompletedAdmissions,
): Promise<void> {
  const seenArgs = [seen?.booked ?? '', seen?.stockRevision ?? ''].map(String)
  const args = [String(now), inOneArgument(seconds.map(String)), ...seenArgs]
  const [code] = await completeAdmissionsScript.run(redis, [admissionsKey(saleId)], args)
  kindOf(completeAdmissionsCodes, code, 'complete-admissions')
}

/** Returns the report of the latest revision with the most booked units, which includes all others. */
export function latestSeen(seen: readonly StockSeen[]): StockSeen | undefined {
  const [latest] = seen.toSorted((a, b) => b.stockRevision - a.stockRevision || b.booked - a.booked)
  return latest
}
