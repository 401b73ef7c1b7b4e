/** Publishes to the gate as many admissions as the units allow (G7). The tick takes over before the sale opens. */
import { isOver, isUpcoming } from '../../../core/sale/sale-life.ts'
import { replenishAdmissions } from '../../sales/admissions.ts'
import { advanceIfDue } from '../../sales/window-steps.ts'
import { isPresent, type SaleJob } from '../job.ts'

export const replenishAdmissionsJob: SaleJob = {
  name: 'replenishAdmissions',
  everyMinutes: 1,
  budgetMs: Infinity,
  concerns: (visit, now) =>
    isPresent(visit) && !isOver(visit.sale, now) && (visit.full || !isUpcoming(visit.sale, now)),
  async run(run, { sale }) {
    const present = await advanceIfDue(run, sale)
    if (present !== undefined) await replenishAdmissions(run, sale.saleId, present)
  },
}
