/** How a sale with a split stock goes, which the model plays. */
import { undivided } from '../../../core/stock/divided-units.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'

/**
 * `skew` is how many of 100 shoppers have shard 0 for a home; `demand` is a share of the stock. `atOnce` shoppers buy
 * at the same time. `faults` scales how often something fails; 0 is a calm sale. With `crashAt`, the program crashes
 * whose turn that step is, and nothing else fails but the shard 0, which loses its data at step `loseAt`.
 */
export type Scenario = {
  seed: number
  shardCount: number
  stock: number
  /** How many variants share the stock; with 1 it is not divided. */
  variants: number
  /** The share of the stock that the shards have at the start, in equal parts. */
  dealt: number
  maxPerOrder: number
  skew: number
  demand: number
  atOnce: number
  /** How likely an order is cancelled before the next step. */
  cancels: number
  faults: number
  crashAt?: number
  loseAt?: number
}

const maxWanted = 5

/** A scenario of the kinds that are hardest: few units, or all demand on one shard. */
export function drawScenario(seed: number, shardCount: number): Scenario {
  const random = openRandom(seed)
  return {
    seed,
    shardCount,
    stock: random.spread(1, 6 * shardCount + 20),
    dealt: random.pick([0, 0.4, 1]),
    maxPerOrder: random.whole(1, maxWanted),
    skew: random.pick([0, 0, 50, 90, 100]),
    demand: random.pick([0.5, 1, 1.2, 2]),
    atOnce: random.whole(1, 6),
    cancels: random.pick([0, 0.01, 0.05, 0.5]),
    faults: random.pick([0, 1, 2, 5]),
    variants: random.pick([1, 1, 2, 3]),
  }
}

/** The ids of that many variants. */
export function variantsOf(count: number): string[] {
  return count === 1 ? [undivided] : Array.from({ length: count }, (_, at) => `v${at + 1}`)
}
