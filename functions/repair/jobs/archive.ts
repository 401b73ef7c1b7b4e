/**
 * Archives a sale a week after its end, so that Redis, the gate and every scheduled run only hold current sales.
 *
 *   1 mark     once Redis and the table agree and every active order is paid. From then on nothing
 *              changes the sale.
 *   2 remove   in a later run, when no call that read the sale before the mark can still run: its
 *              keys, its place in the catalogue and on the index page
 *   3 move     to the list of archived sales, which no scheduled run reads
 *
 * Each step may be repeated, and the next run finishes an interrupted one: until step 3 the sale stays on the list.
 * Payments, refunds and cancellations of its orders work as before, because they only need the table.
 */
import type { SaleId } from '../../../core/ids.ts'
import { holdsUnits, isSoldStatus, type OrderStatus } from '../../../core/orders/order.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { isArchivable } from '../../../core/sale/sale-life.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { releaseUnits } from '../../orders/release.ts'
import type { RepairPorts, Timed } from '../../recovery/ports.ts'
import { holdAgeMs } from '../../recovery/stock/compare-holds.ts'
import { readDrift } from '../../recovery/stock/drift.ts'
import { auditOf } from '../../sales/audit.ts'
import { removeArchived } from '../../sales/effects.ts'
import type { OnVisit } from '../../sales/scheduled-option.ts'
import { onVisits } from '../../sales/scheduled-options.ts'
import { dueReleases } from '../../table/orders/releases.ts'
import { saleOrderPages, saleTotals } from '../../table/sale/sale-orders.ts'
import { findSale, saveSale } from '../../table/sale/sales.ts'
import { costOfFull, isMarked, isPresent, type SaleJob } from '../job.ts'

/** The maximum duration of a call, ms: functions that change sales have a timeout of 30 s. */
const maxCallMs = 60_000

/** Marks sales that passed a full comparison in this run. */
export const archiveJob: SaleJob = {
  name: 'archive',
  everyMinutes: 1,
  budgetMs: Infinity,
  concerns: (visit, now) => isPresent(visit) && visit.full && isArchivable(visit.sale, now),
  cost: costOfFull,
  run: (run, { sale }) => markArchived(run, sale.saleId),
}

/** Removes sales that an earlier run has marked. */
export const removeArchivedJob: SaleJob = {
  name: 'removeArchived',
  everyMinutes: 1,
  budgetMs: Infinity,
  concerns: isMarked,
  async run(run, { sale }) {
    if (await removeMarked(run, sale, run.onVisit)) run.removed.add(sale.saleId)
  },
}

/** Step 1. False when the sale is not ready, or time ran out; the next run retries. @throws when a part is unavailable */
export async function markArchived(ports: Timed, saleId: SaleId): Promise<boolean> {
  const { table, clock, newId, log } = ports
  const record = await findSale(table, saleId)
  if (record === undefined || record.sale.archivedAt !== undefined) return false
  if (record.pendingStock !== undefined || !isArchivable(record.sale, clock())) return false
  if (!(await isAtRest(ports, record.sale))) return false
  const { revision, ...kept } = record
  const now = clock()
  const sale = { ...record.sale, archivedAt: now }
  const audit = auditOf({ who: 'reconcile', requestId: newId(), what: 'archive', saleId, when: now }, record.sale, sale)
  if ((await saveSale(table, revision, { ...kept, sale }, { audit })) === 'conflict') return false
  log.info('sale archived', { saleId })
  return true
}

/** Steps 2 and 3. False when it is too early, or the sale was saved meanwhile. @throws when a part is unavailable */
export async function removeMarked(
  ports: RepairPorts,
  marked: Sale,
  onVisit: OnVisit = onVisits(ports, [marked]),
): Promise<boolean> {
  const { table, clock } = ports
  const { saleId, archivedAt } = marked
  if (archivedAt === undefined || clock() < archivedAt + maxCallMs) return false
  await releaseUnits(ports, saleId, await dueReleases(table, saleId))
  await onVisit(marked)
  await removeArchived(ports, marked)
  const record = await findSale(table, saleId)
  if (record === undefined) return false
  const { revision, ...kept } = record
  return (await saveSale(table, revision, { ...kept, removedAt: clock() })) === 'saved'
}

/** True when Redis and the table agree and nothing is pending. The drift is unknown while a message is in the outbox. */
async function isAtRest(ports: Timed, sale: Sale): Promise<boolean> {
  const { table } = ports
  const { saleId } = sale
  if (!sale.warmed) return true
  const stock = await readStock(ports.stock, saleId)
  if (stock === undefined || stock.frozen || stock.heldBack > 0) return false
  const money = (await saleTotals(table, saleId))?.money
  if (money !== undefined && money.closedAt === undefined) return false
  return (await readDrift(ports, saleId, holdAgeMs)) === 0 && (await allArePaid(ports, saleId))
}

async function allArePaid({ table, clock, deadline }: Timed, saleId: SaleId): Promise<boolean> {
  for await (const page of saleOrderPages(table, saleId)) {
    if (clock() >= deadline || page.some(({ status }) => isUnpaid(status))) return false
  }
  return true
}

const isUnpaid = (status: OrderStatus) => holdsUnits(status) && !isSoldStatus(status)
