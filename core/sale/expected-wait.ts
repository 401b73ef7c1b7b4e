/**
 * Within which time a shopper who was refused because no place was free usually knows the outcome: at the latest when the
 * last unit has gone.
 */

/** The units that were left at `at` (epoch ms). */
export type UnitsSeen = { at: number; remaining: number }

/** Fewer units, and a shorter time, say too little of the pace. */
const fewestUnits = 3
const shortestMs = 2000

/** One-sided, 90 % of a normal distribution: the pace may fall meanwhile, and 80 % are to be right. */
const margin = 1.28

/** The waits that are shown, in seconds; a longer wait is not shown. */
const steps = [5, 10, 15, 20, 30, 45, 60, 120, 180, 300, 600]

/**
 * Seconds in which at least 80 % of such waits end, at the pace between two looks; undefined where that is not known.
 * Arrivals at a steady pace are a Poisson process: the time of the next `n` has a relative variance of 1/n, and a pace of
 * `m` units has 1/m (`test/core/sale/expected-wait.test.ts` plays other paces).
 */
export function expectedWaitSeconds(earlier: UnitsSeen, now: UnitsSeen): number | undefined {
  const taken = earlier.remaining - now.remaining
  const spanMs = now.at - earlier.at
  if (taken < fewestUnits || spanMs < shortestMs || now.remaining <= 0) return undefined
  const usualMs = (now.remaining / taken) * spanMs
  const ms = usualMs * (1 + margin * Math.sqrt(1 / now.remaining + 1 / taken))
  return steps.find((seconds) => ms <= seconds * 1000)
}
