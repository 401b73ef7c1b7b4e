/** What the model of a split stock plays: the rules, and how a sale goes. */
import { type Bank, finishRecovery, reissue, settle, startRecovery } from '../../../core/stock/rights.ts'
import { confirmedShort, planTransfer } from '../../../core/stock/rights-plan.ts'
import {
  type AppliedTransfer,
  applyTransfer,
  freezeShard,
  openShard,
} from '../../../core/stock/rights-shard.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'

/** A mutation replaces parts. */
export type Rules = {
  planTransfer: typeof planTransfer
  confirmedShort: typeof confirmedShort
  settle: typeof settle
  startRecovery: typeof startRecovery
  reissue: typeof reissue
  finishRecovery: typeof finishRecovery
  applyTransfer: typeof applyTransfer
  freezeShard: typeof freezeShard
  openShard: typeof openShard
  /** Whether the table saves a bank over the one it has. */
  savesOver: (stored: Bank, seen: number) => boolean
  /** How a call that may not have reached the shard is taken. */
  unanswered: AppliedTransfer | undefined
  /** Whether the recovery waits for orders on their way. */
  waitsForOrders: boolean
  /** Whether transfers that a crash cut off are carried out by others. */
  finishesOthers: boolean
  /** What an empty shard answers by itself. */
  emptyAnswers: 'unavailable' | 'sold-out'
}

export const ourRules: Rules = {
  planTransfer,
  confirmedShort,
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
}

/**
 * `skew` is how many of 100 shoppers have shard 0 for a home; `demand` is a share of the stock.
 * `atOnce` shoppers buy at the same time. `faults` scales how often something fails; 0 is a calm
 * sale. With `crashAt`, the program crashes whose turn that step is, and nothing else fails but the
 * shard 0, which loses its data at step `loseAt`.
 */
export type Scenario = {
  seed: number
  shardCount: number
  stock: number
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

const maxBasket = 5

/** A scenario of the kinds that are hardest: few units, or all demand on one shard. */
export function drawScenario(seed: number, shardCount: number): Scenario {
  const random = openRandom(seed)
  return {
    seed,
    shardCount,
    stock: random.spread(1, 6 * shardCount + 20),
    dealt: random.pick([0, 0.4, 1]),
    maxPerOrder: random.whole(1, maxBasket),
    skew: random.pick([0, 0, 50, 90, 100]),
    demand: random.pick([0.5, 1, 1.2, 2]),
    atOnce: random.whole(1, 6),
    cancels: random.pick([0, 0.01, 0.05, 0.5]),
    faults: random.pick([0, 1, 2, 5]),
  }
}
