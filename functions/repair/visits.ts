/**
 * Plans which sales a run visits and where the next run resumes. An interrupted run does not advance the progress, so every
 * sale is visited, for any number of sales and however runs end.
 */
import type { SaleId } from '../../core/ids.ts'
import { isArchivable, isOver } from '../../core/sale/sale-life.ts'
import { slotOf } from '../../core/stock/hash-slot.ts'
import { tryLogged } from '../lib/telemetry.ts'
import type { OnVisit } from '../sales/scheduled-option.ts'
import { onVisits } from '../sales/scheduled-options.ts'
import {
  noProgress,
  type Progress,
  type ReconcileProgress,
  readProgress,
  saveProgress,
} from '../table/sale/reconcile-progress.ts'
import { findCurrentSales } from '../table/sale/sale-lists.ts'
import type { Due, JobRun, SaleVisit } from './job.ts'

/** Limits of one run: it has no time for more warmed sales, and more drafts would cost too much. */
const maxWarmed = 2000
const maxDrafts = 100

/**
 * Every hold of a sale is compared in one of this many rounds, even if its counters agree. A round takes one run in a shop of
 * up to a thousand warmed sales.
 */
const fullEveryRounds = 10

/** After this many runs that were interrupted at the same place, a run is careful: it visits fewer sales, one by one. */
const maxCutOff = 3
const maxCareful = 100

/** True when a sale at this place may interrupt runs. */
export const isCareful = ({ begun }: Progress): boolean => begun >= maxCutOff

/**
 * Returns the ids that are due: all of `ids`, which may have changed, starting after the last processed one. A careful run gets
 * 100 of them; each further interrupted run starts one id later, so that an id that interrupts runs does not block the others.
 */
export function dueNow<Id extends string>(ids: readonly Id[], progress: Progress): Due<Id>[] {
  const { after, begun, round } = progress
  const sorted = [...ids].sort()
  const found = after === undefined ? 0 : sorted.findIndex((id) => id > after)
  const first = found === -1 ? sorted.length : found
  const due = [
    ...sorted.slice(first).map((id) => ({ id, round })),
    ...sorted.slice(0, first).map((id) => ({ id, round: round + 1 })),
  ]
  if (!isCareful(progress)) return due
  const skipped = (begun - maxCutOff) % Math.max(1, due.length)
  return due.slice(skipped, skipped + maxCareful)
}

/** Returns the progress after the id, and all due before it, were processed. */
export const progressAt = ({ id, round }: Due<string>): Progress => ({ after: id, begun: 0, round })

/** `save` records that the sales up to `visit` were processed, `finish` that the run was not interrupted. */
export type Visits = {
  visits: readonly SaleVisit[]
  isCareful: boolean
  onVisit: OnVisit
  save: (visit: SaleVisit) => Promise<void>
  finish: () => Promise<void>
}

const noVisits: Visits = {
  visits: [],
  isCareful: false,
  onVisit: async () => {},
  save: async () => {},
  finish: async () => {},
}

/** Reads the due sales and records that a run has begun with them. @throws when they cannot be listed */
export async function planVisits(run: JobRun): Promise<Visits> {
  const { table } = run
  const part = 'progress'
  const ids = await run.saleIds()
  if (ids.warmed.length + ids.drafts.length === 0) return noVisits
  // Without the progress every run starts with the first sales.
  const before = (await tryLogged(run, { part }, () => readProgress(table))) ?? noProgress
  const warmed = dueNow(ids.warmed, before.warmed).slice(0, maxWarmed)
  const drafts = dueNow(ids.drafts, before.drafts).slice(0, maxDrafts)
  const lastDraft = drafts.at(-1)
  const progress: ReconcileProgress = {
    warmed: { ...before.warmed, begun: before.warmed.begun + 1 },
    drafts: lastDraft === undefined ? before.drafts : progressAt(lastDraft),
  }
  const record = async (next: Progress) => {
    progress.warmed = next
    await tryLogged(run, { part }, () => saveProgress(table, progress))
  }
  await record(progress.warmed)
  const ofWarmed = await visitsOf(run, warmed)
  const known = new Set(ofWarmed.map(({ sale }) => sale.saleId))
  const ofDrafts = (await visitsOf(run, drafts)).filter(({ sale }) => !known.has(sale.saleId))
  const visits = [...ofWarmed, ...ofDrafts.map(({ due: _, ...visit }) => visit)]
  const withStock = visits.map(({ sale }) => sale).filter((sale) => sale.warmed)
  return {
    visits,
    isCareful: isCareful(before.warmed),
    onVisit: onVisits(run, withStock),
    save: async ({ due }) => {
      if (due !== undefined) await record(progressAt(due))
    },
    finish: async () => {
      if (progress.warmed.begun > 0) await record({ ...progress.warmed, begun: 0 })
    },
  }
}

async function visitsOf({ table, full, clock }: JobRun, due: readonly Due<SaleId>[]): Promise<SaleVisit[]> {
  const ids = due.map(({ id }) => id)
  const found = new Map((await findCurrentSales(table, ids)).map((sale) => [sale.saleId, sale]))
  const now = clock()
  return due.flatMap((one): SaleVisit[] => {
    const sale = found.get(one.id)
    if (sale === undefined) return []
    const isOld = isArchivable(sale, now)
    const isDueForFull = (isOld || !isOver(sale, now)) && (one.round + slotOf(one.id)) % fullEveryRounds === 0
    // A draft has no stock to compare.
    return [{ sale, due: one, full: full || isDueForFull || (isOld && !sale.warmed), stock: 'unknown' }]
  })
}
