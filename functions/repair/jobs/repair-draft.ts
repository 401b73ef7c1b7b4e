/** Publishes a draft again when the gate lacks it or has another state. The check costs one read of the gate. */
import { isOver } from '../../../core/sale/sale-life.ts'
import { readGate } from '../../../redis/gate/gate.ts'
import { reconcileSale } from '../../recovery/reconcile-sale.ts'
import { isPublishedToGate } from '../../sales/published-state.ts'
import { isMarked, type SaleJob } from '../job.ts'
import { noteRepaired } from './dispatch.ts'

export const repairDraftJob: SaleJob = {
  name: 'repairDraft',
  everyMinutes: 1,
  budgetMs: Infinity,
  concerns: (visit, now) => !isMarked(visit) && !visit.sale.warmed && !isOver(visit.sale, now),
  async run(run, visit) {
    const { sale, full } = visit
    if (!full && isPublishedToGate(sale, await readGate(run.gate, sale.saleId), undefined)) return
    const { state } = await reconcileSale(run, sale, run.onVisit)
    if (state === 'repaired') noteRepaired(run, visit)
  },
}
