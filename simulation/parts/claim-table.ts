/** The table of red packets as the functions reach it: every call is a step. */
import type { SaleId } from '../../core/ids.ts'
import type { ClaimLedger } from '../../functions/packets/claim-ledger.ts'
import type { BudgetStore } from '../../functions/repair/ports.ts'
import type { PacketSeeds } from '../../functions/sales/load-packets.ts'
import { seedBytes } from '../../functions/sales/seeded-random.ts'
import type { Random } from '../engine/random.ts'
import type { Simulation } from '../engine/simulation.ts'
import { stepper } from '../engine/step.ts'
import type { MemoryTable } from '../memory/order-table.ts'
import type { MemorySales } from '../memory/sale-book.ts'

export type ClaimTablePorts = { claimLedger: ClaimLedger; packetSeeds: PacketSeeds; budgetStore: BudgetStore }

type Credited = Awaited<ReturnType<ClaimLedger['credit']>>

/** Wraps calls that may change the table. */
type Writing = <Args extends unknown[], T>(
  port: (...args: Args) => Promise<T>,
) => (...args: Args) => Promise<T>

/** Seeds, drawn when they are first requested. */
export function keptSeeds(random: Random): PacketSeeds {
  const seeds = new Map<SaleId, Uint8Array>()
  return {
    async of(saleId) {
      const seed = seeds.get(saleId) ?? Uint8Array.from({ length: seedBytes }, () => random.whole(0, 255))
      seeds.set(saleId, seed)
      return seed
    },
  }
}

export function steppedClaimTable(
  simulation: Simulation,
  { table, sales, seeds }: { table: MemoryTable; sales: MemorySales; seeds: PacketSeeds },
  writing: Writing,
): ClaimTablePorts {
  const { call, pages } = stepper(simulation, 'table')
  const unavailable = (why: string): Credited => ({ kind: 'unavailable', cause: new Error(why) })
  const busy = (): Credited => ({ kind: 'busy' })
  return {
    claimLedger: {
      credit: call('credit', writing(table.claims.credit), { unanswered: unavailable, busy }),
      pages: pages('credited', table.claims.pages),
    },
    packetSeeds: { of: call('seed', seeds.of) },
    budgetStore: {
      close: call(
        'close budget',
        writing(async (saleId, claimed, audit) => {
          if (!(await table.closeBudget(saleId, claimed, audit.when))) return 'moved'
          sales.audit.push(audit)
          return 'closed'
        }) satisfies BudgetStore['close'],
        { rare: true },
      ),
    },
  }
}
