/** Simulates many sales in sequence and adds up their results. */
import type { SaleKind } from '../../core/sale/kinds.ts'
import { addFaultCounts, type FaultCounts, noFaultCounts } from './engine/trace.ts'
import type { OptionCounts } from './option.ts'
import type { RealRedis } from './parts/redis.ts'
import { type SimulatedSale, type SimulateOptions, simulateSale } from './simulate-sale.ts'

export type SimulationRun = {
  seed: number
  simulated: number
  kinds: Map<SaleKind, number>
  /** The number of sales whose stock was split. */
  split: number
  /** The number of sales with variants. */
  varied: number
  /** Counts of sales with an option, by its name. */
  counts: Map<string, OptionCounts>
  /** Orders and packets from answers to shoppers; `excused` were lost with Redis before they were recorded elsewhere. */
  answered: SimulatedSale['answered']
  excused: number
  /** Maximum time until a sale was at rest, virtual minutes. */
  restAfterMinutes: number
  tally: FaultCounts
  /** The first sale with a violation. */
  failed: SimulatedSale | undefined
}

export type RunOptions = SimulateOptions & {
  seed: number
  /** Numbers of the first and last sale. */
  from: number
  to: number
  onSale?: (sale: SimulatedSale) => void
}

/** Simulates sales until one fails. */
export async function simulateSales(
  redis: RealRedis,
  { seed, from, to, onSale, ...options }: RunOptions,
): Promise<SimulationRun> {
  const run: SimulationRun = {
    seed,
    simulated: 0,
    kinds: new Map(),
    split: 0,
    varied: 0,
    counts: new Map(),
    answered: { orders: 0, packets: 0 },
    excused: 0,
    restAfterMinutes: 0,
    tally: noFaultCounts(),
    failed: undefined,
  }
  for (let number = from; number <= to && run.failed === undefined; number += 1) {
    const sale = await simulateSale(redis, seed, number, options)
    run.simulated += 1
    run.kinds.set(sale.kind, (run.kinds.get(sale.kind) ?? 0) + 1)
    run.split += sale.shards > 1 ? 1 : 0
    run.varied += sale.variants > 0 ? 1 : 0
    if (sale.option !== undefined) run.counts.set(sale.option, sumOfCounts(run.counts.get(sale.option), sale.counts))
    run.answered.orders += sale.answered.orders
    run.answered.packets += sale.answered.packets
    run.excused += sale.excused
    run.restAfterMinutes = Math.max(run.restAfterMinutes, sale.restAfterMinutes)
    addFaultCounts(run.tally, sale.tally)
    if (sale.violations.length > 0) run.failed = sale
    onSale?.(sale)
  }
  return run
}

function sumOfCounts(before: OptionCounts = {}, counts: OptionCounts): OptionCounts {
  return { ...before, ...Object.fromEntries(Object.entries(counts).map(([of, n]) => [of, (before[of] ?? 0) + n])) }
}
