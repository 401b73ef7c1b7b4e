/**
 * Runs the jobs of the scheduled repair (jobs.ts): each within its time limit, for many sales concurrently, resuming where the
 * last run ended. A failed job is logged and stops nothing else.
 */
import { slicesOf } from '../../core/lib/slices.ts'
import { lazyLoad } from '../lib/lazy-load.ts'
import { tryLogged } from '../lib/telemetry.ts'
import { endingWithin, type ReconcileOptions, type RepairPorts, type Timed } from '../recovery/ports.ts'
import { createBalancer } from '../sales/balancer.ts'
import { currentSaleIds } from '../table/sale/sale-lists.ts'
import {
  concurrency,
  type Job,
  type JobRun,
  minuteOf,
  noFindings,
  type Reconciled,
  type SaleJob,
  type SaleVisit,
  type VisitRun,
} from './job.ts'
import { finalJobs, saleJobs, shopJobs } from './jobs.ts'
import { planVisits, type Visits } from './visits.ts'

const allJobs = { shop: shopJobs, sales: saleJobs, final: finalJobs }

/** Sales processed between two saves of the progress. */
const saveEvery = 100

/**
 * Runs all jobs once. Starts no sale after `deadline` (epoch ms): the next run resumes after the last sale that was
 * processed.
 * @throws when the sales cannot be listed
 */
export async function reconcile(
  ports: RepairPorts,
  options: ReconcileOptions,
  deadline: number,
  jobs: typeof allJobs = allJobs,
): Promise<Reconciled> {
  const found = { ...noFindings }
  const run: JobRun = {
    ...{ ...ports, ...options, deadline, found },
    saleIds: lazyLoad(() => currentSaleIds(ports.table)),
    balancer: createBalancer(ports),
    removed: new Set(),
  }
  const startedAt = run.clock()
  await runJobs(run, jobs.shop, startedAt)
  const plan = await planVisits(run)
  const rows = jobs.sales.map((row) => row.filter((job) => isDue(job, startedAt)))
  await visitSales({ ...run, onVisit: plan.onVisit }, rows, plan)
  await plan.finish()
  await runJobs(run, jobs.final, startedAt)
  run.meter.count('OutboxResent', found.resent)
  run.meter.count('OutboxSize', found.waiting)
  run.meter.count('OutboxAge', Math.round(found.oldestAgeMs / 1000))
  return found
}

const isDue = ({ everyMinutes }: { everyMinutes: number }, at: number) => minuteOf(at) % everyMinutes === 0

/** Runs the `jobs` that are due at `at`, in sequence, each within its budget. */
export async function runJobs<R extends Timed>(run: R, jobs: readonly Job<R>[], at = run.clock()): Promise<void> {
  for (const job of jobs.filter((one) => isDue(one, at))) {
    await tryLogged(run, { part: job.name }, () => job.run(endingWithin(run, job.budgetMs)))
  }
}

/** Visits the sales. In a careful run each sale goes through all jobs before the next, to find the one that interrupts it. */
async function visitSales(run: VisitRun, rows: readonly (readonly SaleJob[])[], plan: Visits): Promise<void> {
  const groups = plan.isCareful ? slicesOf(plan.visits, 1) : [plan.visits]
  for (const [at, visits] of groups.entries()) {
    if (at > 0 && run.clock() >= run.deadline) {
      const part = rows.flat().find(({ completesVisit }) => completesVisit)?.name ?? ''
      return logUnprocessed(run, { part, done: at, left: groups.length - at })
    }
    for (const row of rows) await runRow(run, row, visits, plan)
  }
}

/** Runs the jobs of one row at each sale that they concern. */
async function runRow(run: VisitRun, row: readonly SaleJob[], allVisits: readonly SaleVisit[], plan: Visits) {
  const [first] = row
  if (first === undefined) return
  const now = run.clock()
  const { budgetMs, cost = () => 1 } = first
  const ms = typeof budgetMs === 'number' ? budgetMs : budgetMs(run.deadline - now, allVisits)
  const timed = endingWithin(run, ms)
  const visits = allVisits.filter((visit) => row.some((job) => job.concerns(visit, now)))
  const completes = row.some(({ completesVisit }) => completesVisit)
  let done = 0
  for (const some of completes ? slicesOf(visits, saveEvery) : [visits]) {
    const started = await forEachUntilDeadline(timed, some, cost, (visit) => runAt(timed, row, visit))
    done += started
    const last = some[started - 1]
    if (completes && last !== undefined) await plan.save(last)
    if (started < some.length) break
  }
  if (done < visits.length) logUnprocessed(run, { part: first.name, done, left: visits.length - done })
}

async function runAt(run: VisitRun, row: readonly SaleJob[], visit: SaleVisit): Promise<void> {
  const { saleId } = visit.sale
  for (const job of row) {
    if (!job.concerns(visit, run.clock())) continue
    const isDone = await tryLogged(run, { part: job.name, saleId }, async () => {
      await job.run({ ...run, full: visit.full }, visit)
      return true
    })
    if (isDone !== true) run.report?.({ saleId, trouble: 'unrepaired', count: 1 })
  }
}

function logUnprocessed({ meter, log }: VisitRun, facts: { part: string; done: number; left: number }): void {
  meter.count('ReconcileFailed')
  log.warn('no time was left to process every sale', facts)
}

/**
 * Runs `work` for the items in order, concurrently up to a total cost of `concurrency`, and starts none after the deadline.
 * Resolves with the number of started items, once all of them are done.
 */
async function forEachUntilDeadline<T>(
  { clock, deadline }: Timed,
  items: readonly T[],
  costOf: (item: T) => number,
  work: (item: T) => Promise<void>,
): Promise<number> {
  const running = new Set<Promise<void>>()
  let cost = 0
  let started = 0
  for (const item of items) {
    const own = costOf(item)
    while (cost + own > concurrency) await Promise.race(running)
    if (clock() >= deadline) break
    cost += own
    started += 1
    const one = work(item).finally(() => {
      cost -= own
      running.delete(one)
    })
    running.add(one)
  }
  await Promise.all(running)
  return started
}
