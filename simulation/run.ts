/** Many played sales, one after the other, and what they had in common. */
import type { SaleKind } from '../core/sale.ts'
import { addTally, emptyTally, type Tally } from './engine/diary.ts'
import { type PlayedSale, type PlayOptions, playSale } from './harness.ts'
import type { RealRedis } from './parts/redis.ts'

export type Run = {
  seed: number
  played: number
  /** How many sales of each kind. */
  kinds: Map<SaleKind, number>
  /** Orders and packets that somebody was told of, and those that Redis lost before anybody else knew of them. */
  promised: PlayedSale['promised']
  excused: number
  /** How long the slowest sale took to come to rest, in its own minutes. */
  restAfterMinutes: number
  tally: Tally
  /** The first sale in which something did not hold. */
  failed: PlayedSale | undefined
}

export type RunOptions = PlayOptions & {
  seed: number
  /** Numbers of the first and the last sale. */
  from: number
  to: number
  played?: (sale: PlayedSale) => void
}

/** Plays sales until one fails. */
export async function playSales(
  redis: RealRedis,
  { seed, from, to, played, ...options }: RunOptions,
): Promise<Run> {
  const run: Run = {
    seed,
    played: 0,
    kinds: new Map(),
    promised: { orders: 0, packets: 0 },
    excused: 0,
    restAfterMinutes: 0,
    tally: emptyTally(),
    failed: undefined,
  }
  for (let number = from; number <= to && run.failed === undefined; number += 1) {
    const sale = await playSale(redis, seed, number, options)
    run.played += 1
    run.kinds.set(sale.kind, (run.kinds.get(sale.kind) ?? 0) + 1)
    run.promised.orders += sale.promised.orders
    run.promised.packets += sale.promised.packets
    run.excused += sale.excused
    run.restAfterMinutes = Math.max(run.restAfterMinutes, sale.restAfterMinutes)
    addTally(run.tally, sale.tally)
    if (sale.violations.length > 0) run.failed = sale
    played?.(sale)
  }
  return run
}
