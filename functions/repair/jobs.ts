/**
 * The jobs of a scheduled run, in order. Quick work, and work that closes a sale, comes first, each with a time limit. The
 * comparison of holds comes late, because one large sale may need all the time left. Running a job often, late or twice does no
 * harm (I5, I6). Jobs with several steps are in `jobs/`.
 */
import { isOver, isSelling, isUpcoming } from '../../core/sale/sale-life.ts'
import { readGate } from '../../redis/gate/gate.ts'
import { refreshCustomerKeys } from '../gate/customer-keys.ts'
import { renewPassKeys } from '../gate/pass-keys.ts'
import type { DeadLetterRetry } from '../lib/shop/shop.ts'
import { tryLogged } from '../lib/telemetry.ts'
import type { RepairPorts, Timed } from '../recovery/ports.ts'
import { compareCounts, reconcileSale } from '../recovery/reconcile-sale.ts'
import { redriveRecorder } from '../recovery/stock/held-back.ts'
import { replenishAdmissions } from '../sales/admissions.ts'
import { balanceShards } from '../sales/balance-shards.ts'
import { finishDeletion } from '../sales/effects.ts'
import { isPublishedToGate } from '../sales/published-state.ts'
import { publishCatalogue } from '../sales/publishing/catalogue.ts'
import { maxOnIndex } from '../sales/publishing/pages.ts'
import { advanceIfDue } from '../sales/window-steps.ts'
import { costOfFull, isMarked, isPresent, type Job, type SaleJob } from './job.ts'
import { archiveJob, removeArchivedJob } from './jobs/archive.ts'
import { dispatchJob, noteRepaired } from './jobs/dispatch.ts'
import { recoverJob, recoverMiscountedJob } from './jobs/recover.ts'
import { repairBlocklistJob } from './jobs/repair-blocklist.ts'
import { repairInvitedJob } from './jobs/repair-invited.ts'
import { paymentJobs } from './jobs/retry-payments.ts'

/** Makes a new shop's pass keys before its first page, so that its first shopper gets a pass. */
export const openingJobs: readonly Job<Timed>[] = [
  { name: 'renewPassKeys', run: renewPassKeys },
  { name: 'refreshCustomerKeys', run: refreshCustomerKeys },
  { name: 'publishFirstPage', run: ({ publisher }) => publisher.firstIndex() },
  { name: 'publishStablePages', run: ({ publisher }) => publisher.stablePages() },
]

/** A dead letter of an order is a 202 without its order; one of a timer leaves an unpaid order in place. */
const redrive = (name: string, queue: string, of: (ports: RepairPorts) => DeadLetterRetry): Job => ({
  name,
  // A message takes about this long to become a dead letter again.
  everyMinutes: 10,
  budgetMs: 2000,
  async run(run) {
    const retried = await of(run).retry(run.deadline, redriveRecorder(run))
    if (retried.moved > 0) run.log.warn('dead letters sent again', { queue, ...retried })
  },
})

/**
 * Publishes the list of sales to the gate, which rejects every id that is not in it. Also finishes deletions that a crash
 * interrupted: the gate knows ids that are not listed.
 */
const publishCatalogueJob: Job = {
  name: 'publishCatalogue',
  async run(run) {
    for (const saleId of await publishCatalogue(run)) {
      const about = { part: publishCatalogueJob.name, saleId }
      if ((await tryLogged(run, about, () => finishDeletion(run, saleId))) !== true) continue
      run.found.repaired += 1
      run.log.warn('deletion of a sale finished', { saleId })
    }
  },
}

/** Publishes the index page of a shop with more sales than it shows, because it depends on the time. */
const publishIndexJob: Job = {
  name: 'publishIndex',
  everyMinutes: 10,
  async run({ saleIds, publisher }) {
    if ((await saleIds()).warmed.length > maxOnIndex) await publisher.index()
  },
}

/** The jobs that concern no single sale. */
export const shopJobs: readonly Job[] = [
  ...paymentJobs,
  redrive('redriveOrders', 'orders', ({ deadOrders }) => deadOrders),
  redrive('redriveDeadlines', 'deadlines', ({ deadTimers }) => deadTimers),
  repairBlocklistJob,
  publishCatalogueJob,
  publishIndexJob,
]

/** Publishes to the gate as many admissions as the units allow (G7). The tick takes over before the sale opens. */
const replenishAdmissionsJob: SaleJob = {
  name: 'replenishAdmissions',
  concerns: (visit, now) =>
    isPresent(visit) && !isOver(visit.sale, now) && (visit.full || !isUpcoming(visit.sale, now)),
  async run(run, { sale }) {
    const present = await advanceIfDue(run, sale)
    if (present !== undefined) await replenishAdmissions(run, sale.saleId, present)
  },
}

/** Publishes what the CloudFront Functions need to know of the sale, if it has changed. */
const publishToEdgeJob: SaleJob = {
  name: 'publishToEdge',
  concerns: isPresent,
  run: ({ publisher }, { sale }) => publisher.edge(sale.saleId),
}

/**
 * Moves units between the shards of a sale that is not selling. The tick does so for selling sales: a second balancer would not
 * know what the first one has reserved.
 */
const balanceShardsJob: SaleJob = {
  name: 'balanceShards',
  concerns: (visit, now) => isPresent(visit) && !isSelling(visit.sale, now),
  run: (run, { sale }) => balanceShards(run, run.balancer, sale, run.clock()),
}

/** Publishes a draft again when the gate lacks it or has another state. The check costs one read of the gate. */
const repairDraftJob: SaleJob = {
  name: 'repairDraft',
  concerns: (visit, now) => !isMarked(visit) && !visit.sale.warmed && !isOver(visit.sale, now),
  async run(run, visit) {
    const { sale, full } = visit
    if (!full && isPublishedToGate(sale, await readGate(run.gate, sale.saleId), undefined)) return
    const { state } = await reconcileSale(run, sale, run.onVisit)
    if (state === 'repaired') noteRepaired(run, visit)
  },
}

/**
 * Compares the units that Redis has booked with those of the orders (I4). A sale with an unexplained difference counts as lost.
 */
const compareHoldsJob: SaleJob = {
  name: 'compareHolds',
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

/** The jobs of sales. The jobs of one row run in sequence for each sale, within the budget and at the cost of the first. */
export const saleJobs: readonly (readonly SaleJob[])[] = [
  [repairInvitedJob],
  [dispatchJob, replenishAdmissionsJob, publishToEdgeJob, balanceShardsJob],
  [repairDraftJob],
  [recoverJob],
  [compareHoldsJob],
  [recoverMiscountedJob],
  [removeArchivedJob],
  [archiveJob],
]

/** The job that runs after those of sales: it publishes the catalogue without the sales that this run has removed. */
export const finalJobs: readonly Job[] = [
  {
    name: 'publishRemovals',
    async run(run) {
      if (run.removed.size > 0) await publishCatalogue(run)
    },
  },
]
