/** The ports and options of all repairs. */
import type { SaleHealth } from '../../core/api/health.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { LockPorts } from '../lib/lock.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { SalePorts } from '../sales/effects.ts'

/** All jobs take the same ports, because one run calls all of them. */
export type RepairPorts = SalePorts &
  LockPorts &
  Pick<
    ShopContext,
    | 'newToken'
    | 'shopfront'
    | 'provider'
    | 'orderQueue'
    | 'deadOrders'
    | 'deadTimers'
    | 'edgeStore'
    | 'readPublicJson'
    | 'sendsMails'
    | 'meter'
    | 'log'
  >

/** Ages are in ms. `full` compares every hold in any case. `report` gets each trouble that marketers see. */
export type ReconcileOptions = {
  minAgeMs: number
  holdAgeMs: number
  full: boolean
  report?: (trouble: Omit<SaleHealth, 'at'>) => void
}

/** A repair starts nothing after `deadline` (epoch ms). The next run does the rest. */
export type Timed = RepairPorts & { deadline: number }

/** A run of the jobs, or the repair of one sale on request. */
export type Run = Timed & ReconcileOptions

/** The recovery of one sale under its lock; `signal` is aborted when the lock is lost. */
export type RecoveryRun = Timed & { sale: Sale; signal: AbortSignal }

/** Returns the run with at most `ms` left. */
export const endingWithin = <T extends Timed>(run: T, ms: number): T => ({
  ...run,
  deadline: Math.min(run.deadline, run.clock() + ms),
})
