/**
 * Compares the units that Redis has booked with those of the orders (I4). A sale with an unexplained difference counts as lost.
 */
import { compareCounts } from '../../recovery/reconcile-sale.ts'
import { costOfFull, isPresent, type SaleJob } from '../job.ts'

export const compareHoldsJob: SaleJob = {
  name: 'compareHolds',
  everyMinutes: 1,
  budgetMs: Infinity,
  concerns: isPresent,
  cost: (visit) => (visit.full ? costOfFull(visit) : 1),
  completesVisit: true,
  async run(run, visit) {
    const { found, report } = run
    const { drift, holds, released, isBroken } = await compareCounts(run, visit.sale, run.onVisit)
    if (drift) report?.({ saleId: visit.sale.saleId, trouble: 'drift', count: Math.abs(drift) })
    found.restored += holds?.restored ?? 0
    found.released += released + (holds?.released ?? 0)
    if (isBroken) visit.stock = 'lost'
  },
}
