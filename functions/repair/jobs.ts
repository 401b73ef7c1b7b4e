/**
 * The jobs of a scheduled run, in order. `openingJobs`, the tick and the options run in parallel with them (run.ts). Quick
 * work, and work that closes a sale, comes first, each with a time limit. The comparison of holds comes late, because one large
 * sale may need all the time left. Running a job often, late or twice does no harm (I5, I6).
 */
import { refreshCustomerKeys } from '../gate/customer-keys.ts'
import { renewPassKeys } from '../gate/pass-keys.ts'
import type { RepairPorts, Timed } from '../recovery/ports.ts'
import { isPresent, type Job, type SaleJob } from './job.ts'
import { archiveJob, removeArchivedJob } from './jobs/archive.ts'
import { balanceShardsJob } from './jobs/balance-shards.ts'
import { compareHoldsJob } from './jobs/compare-holds.ts'
import { dispatchJob } from './jobs/dispatch.ts'
import { publishCatalogueJob, publishIndexJob, publishRemovalsJob } from './jobs/publish-catalogue.ts'
import { recoverJob, recoverMiscountedJob } from './jobs/recover.ts'
import { redriveDeadlines, redriveOrders } from './jobs/redrive-dead-letters.ts'
import { repairBlocklistJob } from './jobs/repair-blocklist.ts'
import { repairDraftJob } from './jobs/repair-draft.ts'
import { repairInvitedJob } from './jobs/repair-invited.ts'
import { replenishAdmissionsJob } from './jobs/replenish-admissions.ts'
import { paymentJobs } from './jobs/retry-payments.ts'

/** Publishes what the CloudFront Functions need to know of the sale, if it has changed. */
const publishToEdgeJob: SaleJob = {
  name: 'publishToEdge',
  everyMinutes: 1,
  budgetMs: Infinity,
  concerns: isPresent,
  run: ({ publisher }, { sale }) => publisher.edge(sale.saleId),
}

const ofShop = (name: string, run: (ports: RepairPorts) => Promise<unknown>): Job<Timed> => ({
  ...{ name, everyMinutes: 1, budgetMs: Infinity, run },
})

/** Makes a new shop's pass keys before its first page, so that its first shopper gets a pass. */
export const openingJobs: readonly Job<Timed>[] = [
  ofShop('renewPassKeys', renewPassKeys),
  ofShop('refreshCustomerKeys', refreshCustomerKeys),
  ofShop('publishFirstPage', ({ publisher }) => publisher.firstIndex()),
  ofShop('publishStablePages', ({ publisher }) => publisher.stablePages()),
]

/** The jobs that concern no single sale. */
export const shopJobs: readonly Job[] = [
  ...paymentJobs,
  redriveOrders,
  redriveDeadlines,
  repairBlocklistJob,
  publishCatalogueJob,
  publishIndexJob,
]

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

/** The jobs that run after those of sales. */
export const finalJobs: readonly Job[] = [publishRemovalsJob]
