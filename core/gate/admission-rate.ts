/**
 * How many requests a sale admits in a second (R4), and how that follows the load of its databases (R8). The gate's
 * store bounds what all instances of the gate admit together; the tick measures each second how long the databases of
 * the stock take for a read, which waits there behind the commands of the purchases, and lowers or raises the rate.
 */
import type { Sale } from '../sale/sale.ts'

/**
 * Requests in a second that one database takes: the smallest plan at Upstash runs 10,000 commands a second, and an
 * order costs 4.1 (`npm run bench -- split`). Almost a fifth is left for leases, repeated requests and repair: 10,000 / 5.
 */
const admittedPerDatabase = 10_000 / 5

/** Returns the setting of the sale, or what the databases of its stock take together. */
export function admitPerSecondOf({ admitPerSecond, shards }: Pick<Sale, 'admitPerSecond' | 'shards'>): number {
  return admitPerSecond ?? shards * admittedPerDatabase
}

/**
 * A read of the stock that takes longer, ms, has waited for other commands. A quarter of the second after which a
 * purchase gives up. A quarter of a second's admissions is granted at once (redis/gate/admit.lua) and takes a database
 * at its limit as long: less than this with the usual rate, 2,000 / 4 x 4.1 / 10,000 s = 205 ms.
 */
export const slowReadMs = 250

/** Under pressure the rate falls to this share at most, and to the other at least, in a second. */
const [maxFactor, minFactor] = [0.5, 0.1]

/** Without pressure the rate rises by this share of the setting in a second. */
const riseShare = 1 / 20

/** The share of the setting that is admitted under any pressure, so that the sale goes on. */
const minShare = 1 / 100

/** Returns the fewest admissions in a second under any pressure: a hundredth of the setting, at least one. */
export const minRate = (maxRate: number): number => Math.ceil(maxRate * minShare)

/**
 * The rate of the next second, after `rate` in the last one. `most` is the setting; `waitMs` is how
 * long the slowest database took for a read, undefined when none answered.
 *
 * Multiplicative decrease, additive increase: several sales that share a database arrive at equal
 * parts of it (Chiu and Jain 1989). Commands that wait twice as long as they may need half the rate.
 */
export function nextRate(rate: number, maxRate: number, waitMs: number | undefined): number {
  if (waitMs !== undefined && waitMs <= slowReadMs) return Math.min(maxRate, rate + Math.ceil(maxRate * riseShare))
  const share = waitMs === undefined ? minFactor : Math.max(minFactor, Math.min(maxFactor, slowReadMs / waitMs))
  return Math.min(maxRate, Math.max(minRate(maxRate), Math.floor(rate * share)))
}
