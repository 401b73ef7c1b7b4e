/**
 * How many requests a sale admits in a second (R4), adapted to the load of its databases (N7). The gate's store limits
 * all instances of the gate together. Every second the tick measures how long a read of the stock takes, because it
 * queues behind the commands of purchases, and lowers or raises the rate.
 */
import type { Sale } from '../sale/sale.ts'

/**
 * Requests in a second for one database: the smallest plan at Upstash runs 10,000 commands a second, and an order costs
 * 4.1 (`npm run bench -- split`). 10,000 / 5 leaves almost a fifth for leases, repeated requests and repair.
 */
const admittedPerDatabase = 10_000 / 5

/** Returns the setting of the sale, or the capacity of the databases of its stock. */
export function admitPerSecondOf({ admitPerSecond, shards }: Pick<Sale, 'admitPerSecond' | 'shards'>): number {
  return admitPerSecond ?? shards * admittedPerDatabase
}

/**
 * A read of the stock that takes longer, ms, has waited for other commands. It is a quarter of the timeout of a purchase
 * (1 s). admit.lua grants a quarter of a second's admissions at once, which keep a database at its limit busy for less
 * than this: 2,000 / 4 x 4.1 / 10,000 s = 205 ms with the default rate.
 */
export const slowReadMs = 250

/** Under pressure, each second multiplies the rate by a factor between these two. */
const [maxFactor, minFactor] = [0.5, 0.1]

/** Without pressure, each second adds this share of the setting to the rate. */
const riseShare = 1 / 20

/** The share of the setting that is admitted under any pressure, so that the sale never stops. */
const minShare = 1 / 100

/** Returns the minimum of admissions in a second: a hundredth of the setting, at least one. */
export const minRate = (maxRate: number): number => Math.ceil(maxRate * minShare)

/**
 * Returns the rate of the next second, after `rate` in the last one. `maxRate` is the setting. `waitMs` is how long the
 * slowest database took for a read, undefined when none answered.
 *
 * Additive increase and multiplicative decrease make sales that share a database converge to equal parts of it (Chiu and
 * Jain 1989). When reads take twice `slowReadMs`, the rate is halved.
 */
export function nextRate(rate: number, maxRate: number, waitMs: number | undefined): number {
  if (waitMs !== undefined && waitMs <= slowReadMs) return Math.min(maxRate, rate + Math.ceil(maxRate * riseShare))
  const share = waitMs === undefined ? minFactor : Math.max(minFactor, Math.min(maxFactor, slowReadMs / waitMs))
  return Math.min(maxRate, Math.max(minRate(maxRate), Math.floor(rate * share)))
}
