/** What the model of a split stock plays: the rules, and how a sale goes. */
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { plusParts, undivided } from '../../../core/stock/divided-units.ts'
import { type Escrow, finishRecovery, reissue, settle, startRecovery } from '../../../core/stock/escrow.ts'
import { confirmedLeft, planTransfer } from '../../../core/stock/transfer-plan.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'
import { type AppliedTransfer, applyTransfer, freezeShard, openShard } from './shard-model.ts'

/** A mutation replaces parts. */
export type Rules = {
  planTransfer: typeof planTransfer
  confirmedLeft: typeof confirmedLeft
  settle: typeof settle
  startRecovery: typeof startRecovery
  reissue: typeof reissue
  finishRecovery: typeof finishRecovery
  applyTransfer: typeof applyTransfer
  freezeShard: typeof freezeShard
  openShard: typeof openShard
  /** Whether the table saves an escrow over the one it has. */
  savesOver: (stored: Escrow, seen: number) => boolean
  /** How a call that may not have reached the shard is taken. */
  unanswered: AppliedTransfer | undefined
  /** Whether the recovery waits for orders on their way. */
  waitsForOrders: boolean
  /** Whether transfers that a crash cut off are carried out by others. */
  finishesOthers: boolean
  /** What an empty shard answers by itself. */
  emptyAnswers: 'unavailable' | 'sold-out'
  /** What a shard has left after an order; undefined when it does not have all of its units. */
  taken: (left: VariantUnits, order: VariantUnits) => VariantUnits | undefined
}

export const ourRules: Rules = {
  planTransfer,
  confirmedLeft,
  settle,
  startRecovery,
  reissue,
  finishRecovery,
  applyTransfer,
  freezeShard,
  openShard,
  savesOver: (stored, seen) => stored.revision === seen,
  unanswered: undefined,
  waitsForOrders: true,
  finishesOthers: true,
  emptyAnswers: 'unavailable',
  taken(left, order) {
    const hasAll = Object.entries(order).every(([id, units]) => units <= (left[id] ?? 0))
    return hasAll ? plusParts(left, order, -1) : undefined
  },
}

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

const mostWanted = 5

/** A scenario of the kinds that are hardest: few units, or all demand on one shard. */
export function drawScenario(seed: number, shardCount: number): Scenario {
  const random = openRandom(seed)
  return {
    seed,
    shardCount,
    stock: random.spread(1, 6 * shardCount + 20),
    dealt: random.pick([0, 0.4, 1]),
    maxPerOrder: random.whole(1, mostWanted),
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
