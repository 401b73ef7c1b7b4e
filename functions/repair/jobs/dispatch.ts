/** Dispatches the messages in the outbox of a sale, and publishes the sale where Redis or the gate lacks it. */
import { isArchivable } from '../../../core/sale/sale-life.ts'
import { logFailure } from '../../lib/telemetry.ts'
import { dispatchAndRepair } from '../../recovery/reconcile-sale.ts'
import { isMarked, type JobRun, type SaleJob, type SaleVisit } from '../job.ts'

/** The share of the time left for dispatching; the rest is for comparing the sales. */
const share = 0.6

/** Orders are written within seconds, so a message that waits longer is a trouble of its sale, ms. */
const maxWaitMs = 120_000

export const dispatchJob: SaleJob = {
  name: 'dispatch',
  everyMinutes: 1,
  budgetMs: (leftMs) => share * leftMs,
  concerns: (visit, now) => !isMarked(visit) && (visit.sale.warmed || isArchivable(visit.sale, now)),
  async run(run, visit) {
    const { found, report } = run
    const { saleId } = visit.sale
    const done = await dispatchAndRepair(run, visit.sale)
    visit.stock = done.state === 'to-recover' ? 'lost' : 'present'
    found.resent += done.resent
    found.waiting += done.waiting
    found.oldestAgeMs = Math.max(found.oldestAgeMs, done.oldestAgeMs)
    if (done.oldestAgeMs > maxWaitMs) report?.({ saleId, trouble: 'waiting', count: done.waiting })
    if (done.givenUp > 0) report?.({ saleId, trouble: 'given-up', count: done.givenUp })
    if (done.state === 'repaired') noteRepaired(run, visit)
    // The other jobs of the sale go on.
    if (done.unfinishedChange !== undefined) logFailure(run, { part: dispatchJob.name, saleId }, done.unfinishedChange)
  },
}

/** Counts and logs that the sale was published again. */
export function noteRepaired({ found, log }: JobRun, { sale: { saleId } }: SaleVisit): void {
  found.repaired += 1
  log.warn('sale published again from the table', { saleId })
}
