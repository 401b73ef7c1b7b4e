/** Saves of records that staff configure by name, when several calls change the same one. */
import { retry } from '../lib/retry.ts'

/** A call writes once; only other calls for the same record, or what is found out about it meanwhile, are in its way. */
const maxTries = 8

/**
 * A call that read the record before another one wrote it would undo that change: `save` resolves with undefined then, and
 * reads again.
 * @throws when others keep changing it
 */
export function untilWritten<T>(name: string, save: () => Promise<T | undefined>): Promise<T> {
  return retry(async (tries) => {
    const saved = await save()
    if (saved === undefined && tries === maxTries) throw new Error(`${name} changes too fast`)
    return saved
  })
}

/** Never twice the same, also within a millisecond: it says whether a record is as it was read. */
export function savedAfter(former: { savedAt: number } | undefined, now: number): number {
  return Math.max(now, (former?.savedAt ?? 0) + 1)
}
