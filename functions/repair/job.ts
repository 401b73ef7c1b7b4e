/** The contract of a job of the scheduled run (jobs.ts has the table of them, reconcile.ts runs them). */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Run, Timed } from '../recovery/ports.ts'
import type { Balancer } from '../sales/balancer.ts'
import type { OnVisit } from '../sales/scheduled-option.ts'
import type { currentSaleIds } from '../table/sale/sale-lists.ts'

/**
 * A job that concerns no single sale. `name` stands in logs and runbooks. A job of every tenth minute has `everyMinutes`
 * 10. `budgetMs` limits its time within the run. A failure is logged and stops nothing else.
 */
export type Job<R extends Timed = JobRun> = {
  name: string
  everyMinutes: number
  budgetMs: number
  run: (run: R) => Promise<unknown>
}

/**
 * A job of one sale. It starts with no sale after its budget, which may depend on the time that is left (ms) and on
 * the other sales of the run. Sales whose `cost` is at most `concurrency` together run at once. A job that
 * `completesVisit` is the last one that each sale needs: a sale at which it ran, or failed, counts as processed.
 */
export type SaleJob = {
  name: string
  everyMinutes: number
  budgetMs: number | ((leftMs: number, visits: readonly SaleVisit[]) => number)
  concerns: (visit: SaleVisit, now: number) => boolean
  cost?: (visit: SaleVisit) => number
  completesVisit?: true
  run: (run: VisitRun, visit: SaleVisit) => Promise<unknown>
}

/** The number of the minute of `at`, epoch ms. */
export const minuteOf = (at: number): number => Math.floor(at / 60_000)

/** Calls to Redis and the table wait for answers, so that many sales are processed at once. */
export const concurrency = 20

/** An id, and the round of the runs in which it is due. */
export type Due<Id extends string> = { id: Id; round: number }

/**
 * A sale in one run. With `full` every hold is compared. `stock` says whether Redis was found to have the sale; a `lost`
 * one becomes `tried` with the attempt to recover it. `due` is absent for a draft.
 */
export type SaleVisit = {
  sale: Sale
  due?: Due<SaleId>
  full: boolean
  stock: 'unknown' | 'present' | 'lost' | 'tried'
}

export const isPresent = ({ stock }: SaleVisit): boolean => stock === 'present'

/** A marked sale is about to be removed from Redis and the gate: nothing else changes it. */
export const isMarked = ({ sale }: SaleVisit): boolean => sale.archivedAt !== undefined

/** A recovery or a whole comparison reads all orders of a sale: few run at once, and one of a big sale runs alone. */
const fullCost = 5
const bigUnits = 50_000
export const costOfFull = ({ sale: { stock } }: SaleVisit): number =>
  stock === -1 || stock > bigUnits ? concurrency : fullCost

/**
 * The findings of a run. `repaired`: sales of which Redis or the gate was out of date. `recovered`: sales rebuilt from
 * the table. `restored` and `released`: orders whose hold was corrected. `refunds`: refunds requested again.
 */
export const noFindings = {
  resent: 0,
  waiting: 0,
  oldestAgeMs: 0,
  repaired: 0,
  recovered: 0,
  restored: 0,
  released: 0,
  refunds: 0,
}
export type Reconciled = typeof noFindings

/** The state that the jobs of one run share. `removed` are the sales that have left the list of the gate. */
export type JobRun = Run & {
  found: Reconciled
  saleIds: () => ReturnType<typeof currentSaleIds>
  balancer: Balancer
  removed: Set<SaleId>
}

/** A run that visits sales; `onVisit` calls the hooks of options. */
export type VisitRun = JobRun & { onVisit: OnVisit }
