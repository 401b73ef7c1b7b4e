/** Rebuilds sales that Redis has lost from the table. A run tries once for each sale. */
import { endingWithin } from '../../recovery/ports.ts'
import { recover, recoveryTimeLimitMs } from '../../recovery/stock/recover.ts'
import { costOfFull, isPresent, type SaleJob, type SaleVisit, type VisitRun } from '../job.ts'

/** The share of the time left for recoveries while other sales wait to be compared. */
const share = 0.6

/** Runs before the comparison, for the sales without stock in `dispatch`. */
export const recoverJob: SaleJob = {
  name: 'recover',
  everyMinutes: 1,
  budgetMs: (leftMs, visits) => (visits.some(isPresent) ? share * leftMs : leftMs),
  concerns: ({ stock }) => stock === 'lost',
  cost: costOfFull,
  run: recoverSale,
}

/** Runs after the comparison, for the sales whose counters no order explains. */
export const recoverMiscountedJob: SaleJob = { ...recoverJob, name: 'recoverMiscounted', budgetMs: Infinity }

async function recoverSale(run: VisitRun, visit: SaleVisit): Promise<void> {
  const { newId, meter, log, found, report } = run
  const { saleId } = visit.sale
  visit.stock = 'tried'
  const actor = { who: 'reconcile', requestId: newId() }
  const recovered = await recover(run, actor, saleId, endingWithin(run, recoveryTimeLimitMs).deadline)
  if (recovered.kind === 'recovered') found.recovered += 1
  if (recovered.kind === 'unfinished') {
    meter.count('ReconcileFailed')
    log.warn('sale not yet rebuilt', { saleId, reason: recovered.reason })
    report?.({ saleId, trouble: 'rebuilding', count: 1 })
  }
}
