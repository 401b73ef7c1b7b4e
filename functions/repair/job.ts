/** The contract of the jobs of a scheduled run (jobs.ts lists them, reconcile.ts runs them). */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Run, Timed } from '../recovery/ports.ts'
import type { Balancer } from '../sales/balancer.ts'
import type { OnVisit } from '../sales/scheduled-option.ts'
import type { currentSaleIds } from '../table/sale/sale-lists.ts'

/**
 * A job of the whole shop. `name` appears in logs and runbooks. `everyMinutes` 10 runs it in every tenth minute. `budgetMs`
 * limits its time within the run. A failure is logged and stops nothing else.
 */
export type Job<R extends Timed = JobRun> = {
  name: string
  everyMinutes: number
  budgetMs: number
  run: (run: R) => Promise<unknown>
}

/**
 * A job of one sale. It starts no sale after its budget, which may depend on the time left (ms) and on the other sales of the
 * run. Sales whose `cost` adds up to at most `concurrency` run concurrently. A job that `completesVisit` is the last one of
 * each sale: a sale for which it ran, or failed, counts as processed.
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

/** Returns the number of the minute of `at`, epoch ms. */
export const minuteOf = (at: number): number => Math.floor(at / 60_000)

/** Sales processed concurrently, because calls to Redis and the table mostly wait. */
export const concurrency = 20

/** An id, and the round in which it is due. */
export type Due<Id extends string> = { id: Id; round: number }

/**
 * A sale in one run. `full` compares every hold. `stock` says whether Redis has the sale; a `lost` one becomes `tried` with the
 * attempt to recover it. `due` is absent for a draft.
 */
export type SaleVisit = {
  sale: Sale
  due?: Due<SaleId>
  full: boolean
  stock: 'unknown' | 'present' | 'lost' | 'tried'
}

export const isPresent = ({ stock }: SaleVisit): boolean => stock === 'present'

/**
 * True for a sale that is marked as archived: it is about to be removed from Redis and the gate, and nothing else changes it.
 */
export const isMarked = ({ sale }: SaleVisit): boolean => sale.archivedAt !== undefined

/** A recovery or a full comparison reads all orders of a sale, so few run concurrently, and one of a big sale runs alone. */
const fullCost = 5
const bigUnits = 50_000
export const costOfFull = ({ sale: { stock } }: SaleVisit): number =>
  stock === -1 || stock > bigUnits ? concurrency : fullCost

/**
 * The findings of a run. `repaired` counts sales that were stale in Redis or the gate, `recovered` sales rebuilt from the
 * table, `restored` and `released` orders whose hold was corrected, `refunds` refunds requested again.
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

/** The state that the jobs of one run share. `removed` are the sales that left the gate's list. */
export type JobRun = Run & {
  found: Reconciled
  saleIds: () => ReturnType<typeof currentSaleIds>
  balancer: Balancer
  removed: Set<SaleId>
}

/** A run that visits sales; `onVisit` calls the hooks of options. */
export type VisitRun = JobRun & { onVisit: OnVisit }
