/** Where a run of every minute begins, so that nothing is always last. */

/** The number of the minute of `at`, epoch ms. */
export const minuteOf = (at: number): number => Math.floor(at / 60_000)

/** `items` from the one at `turn` on, and then those before it; `turn` may be larger than their number. */
export function rotated<T>(items: readonly T[], turn: number): T[] {
  const first = items.length === 0 ? 0 : turn % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}

/**
 * How far runs have come with ids that are looked at again and again. `after` is the last one that was looked at, in
 * the round `round`; `begun` counts the runs since then that have not come further.
 */
export type Progress = { after?: string; begun: number; round: number }

/** An id, and which time it is looked at. */
export type Due<Id extends string> = { id: Id; round: number }

/** Runs that are cut off at the same place until one is careful, and what a careful one does. */
const mostCutOff = 3
const carefulStep = 100

/** Whether so many runs were cut off where this one begins that something there may cut runs off: look at one id after the other. */
export const isCareful = ({ begun }: Progress): boolean => begun >= mostCutOff

/**
 * All of `ids`, which may have changed since, from the first behind the last that was looked at on. A run that is cut
 * off leaves the place as it was, so the next one begins there again. A careful one has 100, and where that was cut off
 * as well, it begins with the next: what cuts runs off keeps none of the others from being looked at.
 */
export function dueNow<Id extends string>(ids: readonly Id[], progress: Progress): Due<Id>[] {
  const { after, begun, round } = progress
  const sorted = [...ids].sort()
  const found = after === undefined ? 0 : sorted.findIndex((id) => id > after)
  const first = found === -1 ? sorted.length : found
  const due = [
    ...sorted.slice(first).map((id) => ({ id, round })),
    ...sorted.slice(0, first).map((id) => ({ id, round: round + 1 })),
  ]
  if (!isCareful(progress)) return due
  const skipped = (begun - mostCutOff) % Math.max(1, due.length)
  return due.slice(skipped, skipped + carefulStep)
}

/** The progress once `last` was looked at, and all that are due before it. */
export const progressAt = ({ id, round }: Due<string>): Progress => ({ after: id, begun: 0, round })
