/** Simulates many sales in sequence and adds up their results. */
import type { SaleKind } from '../../core/sale/kinds.ts'
import { addFaultCounts, noFaultCounts } from './engine/trace.ts'
import type { OptionCounts } from './option.ts'
import type { RealRedis } from './parts/redis.ts'
import { type SimulatedSale, type SimulateOptions, simulateSale } from './simulate-sale.ts'

export type SimulationRun = Awaited<ReturnType<typeof simulateSales>>

export type RunOptions = SimulateOptions & {
  seed: number
  /** Numbers of the first and last sale. */
  from: number
  to: number
  onSale?: (sale: SimulatedSale) => void
}

/** Simulates sales until one fails. */
export async function simulateSales(redis: RealRedis, { seed, from, to, onSale, ...options }: RunOptions) {
  const run = {
    seed,
    simulated: 0,
    kinds: new Map<SaleKind, number>(),
    /** Sales whose stock was split, and sales with variants. */
    split: 0,
    varied: 0,
    /** Counts of sales with an option, by its name. */
    counts: new Map<string, OptionCounts>(),
    answered: { orders: 0, packets: 0 },
    excused: 0,
    /** Maximum time until a sale was at rest, virtual minutes. */
    restAfterMinutes: 0,
    tally: noFaultCounts(),
    /** The first sale with a violation. */
    failed: undefined as SimulatedSale | undefined,
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
