/** What the repair of sales needs, and what a run of it is asked for. */
import type { SaleHealth } from '../../core/api/health.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { LockPorts } from '../lib/lock.ts'
import type { QueueDepth, Shop } from '../lib/shop/shop.ts'
import { errorFacts, type LogFacts, type Telemetry } from '../lib/telemetry.ts'
import type { SalePorts } from '../sales/effects.ts'

/** Every step of a repair takes the same, because a run goes through all of them. */
export type RepairPorts = SalePorts &
  LockPorts &
  Pick<
    Shop,
    | 'newToken'
    | 'shopfront'
    | 'provider'
    | 'orderQueue'
    | 'deadOrders'
    | 'deadTimers'
    | 'edgeStore'
    | 'readGates'
    | 'readPublicJson'
    | 'sendsMails'
    | 'meter'
    | 'log'
  >

/** Ages are in ms. `full`: compare every hold in any case. `report` gets each trouble for marketers. */
export type ReconcileOptions = {
  minAgeMs: number
  holdAgeMs: number
  full: boolean
  report?: (trouble: Omit<SaleHealth, 'at'>) => void
}

/** `deadline` (epoch ms) is when a repair begins nothing more; what is left then is for the next one. */
export type Timed = RepairPorts & { deadline: number }

/** One look at the sales. */
export type Run = Timed & ReconcileOptions

/** The rebuilding of one sale under its lock; `signal` is aborted when the lock is lost. */
export type RecoveryRun = Timed & { sale: Sale; signal: AbortSignal }

/** The same with `ms` left at the most. */
export const endingWithin = <T extends Timed>(run: T, ms: number): T => ({
  ...run,
  deadline: Math.min(run.deadline, run.clock() + ms),
})

/** How many messages that are in all. */
export function messagesIn({ visible, inFlight, delayed }: QueueDepth): number {
  return visible + inFlight + delayed
}

/** What `work` resolves with; undefined when it failed, which is logged, and the other parts of the run go on. */
export async function unlessItFails<T>(
  telemetry: Telemetry,
  about: LogFacts,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    logFailure(telemetry, about, error)
    return undefined
  }
}

export function logFailure({ meter, log }: Telemetry, about: LogFacts, error: unknown): void {
  meter.count('ReconcileFailed')
  log.warn('not reconciled', { ...about, ...errorFacts(error) })
}
