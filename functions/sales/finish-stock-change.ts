/**
 * Finishes stock changes. Redis admits and the cap in the table decides, so the cap must never be the smaller of the two: it
 * rises before Redis and falls after it. The pending change is saved with the sale, and the next marketer's call or scheduled
 * repair finishes it after a crash.
 *
 *   up     cap and sale, then Redis           down   Redis, then cap and sale
 *
 * Concurrent callers may finish one change. Its number lets Redis apply it once, and the revision lets the table record it
 * once.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { publishRestocked, publishSoldOut } from '../../redis/gate/gate.ts'
import { isSplit, onlyShard } from '../../redis/shards.ts'
import { addStock, type NumberedChange, type StockChange } from '../../redis/stock/add-stock.ts'
import { hasReturnableUnits, type StockFacts } from '../../redis/stock/stock.ts'
import type { FinishedChange, PendingStock, SaleRecord } from '../table/sale/sale-item.ts'
import { findSale, saveSale } from '../table/sale/sales.ts'
import { replenishAdmissions } from './admissions.ts'
import { auditOf } from './audit.ts'
import { changeSplitStock } from './balancer.ts'
import { changedStock } from './changed-sale.ts'
import { type SalePorts, warmAllShards } from './effects.ts'
import { fullShopfront } from './publishing/shopfront.ts'

/** Changes remembered per sale: far more than one marketer can have pending. */
const maxRemembered = 8

export type Finished =
  | { kind: 'done'; change: FinishedChange }
  | { kind: 'below-booked'; free: number }
  | { kind: 'below-sold' | 'no-sale' | 'conflict' | 'stock-missing' }

export type FinishedStockChange = { kind: 'record'; record: SaleRecord } | { kind: 'no-sale' | 'conflict' }

/**
 * Returns the sale without a pending stock change. The change stays pending when the stock is missing or frozen, because
 * closing such a sale must still be possible.
 */
export async function finishStockChange(ports: SalePorts, saleId: SaleId): Promise<FinishedStockChange> {
  const record = await findSale(ports.table, saleId)
  if (record === undefined) return { kind: 'no-sale' }
  if (record.pendingStock === undefined) return { kind: 'record', record }
  const finished = await finish(ports, record, record.pendingStock)
  if (finished.kind === 'conflict' || finished.kind === 'no-sale') return { kind: finished.kind }
  const after = await findSale(ports.table, saleId)
  return after === undefined ? { kind: 'no-sale' } : { kind: 'record', record: after }
}

/**
 * Returns the sale with its stock change finished, or unchanged when that is not possible now: `unfinishedChange` is the
 * reason. Closing a sale must be recorded even when Redis or the gate is unavailable, or it could never be repeated (I6).
 */
export async function tryFinishStockChange(
  ports: SalePorts,
  saleId: SaleId,
): Promise<{ record: SaleRecord; unfinishedChange?: unknown } | undefined> {
  let unfinishedChange: unknown
  try {
    const finished = await finishStockChange(ports, saleId)
    if (finished.kind === 'record') return { record: finished.record }
  } catch (error) {
    unfinishedChange = error
  }
  const record = await findSale(ports.table, saleId)
  return record === undefined ? undefined : { record, unfinishedChange }
}

export async function finish(ports: SalePorts, record: SaleRecord, pending: PendingStock): Promise<Finished> {
  const { sale, revision, finishedStockChanges } = record
  const { saleId } = sale
  const { changeId, number, delta, units, ...actor } = pending
  const moved = { delta, ...(units && { units }) }
  const change = await addToStock(ports, record, { number, ...moved })
  if (change.kind === 'below-booked') {
    const saved = await saveSale(ports.table, revision, { sale, finishedStockChanges })
    if (saved === 'conflict') return outcomeAfterConflict(ports, saleId, pending, revision)
    return { kind: 'below-booked', free: change.total - change.booked }
  }
  if (!('stockRevision' in change)) {
    if (change.kind === 'unknown-sale') return { kind: 'stock-missing' }
    throw new Error(`the stock of ${saleId} is unlimited only in Redis`)
  }
  const { total, booked } = change
  const now = ports.clock()
  const next = delta < 0 ? { ...sale, ...changedStock(sale, moved), updatedAt: now } : sale
  const finished = { changeId, number, ...moved, total, booked }
  const stock = await replenishAdmissions(ports, saleId, sale)
  await publishToGate(ports, saleId, { ...change, delta }, stock)
  const kept = { sale: next, finishedStockChanges: [...finishedStockChanges, finished].slice(-maxRemembered) }
  const audit = auditOf({ ...actor, what: 'stock', saleId, when: now }, sale, next)
  const saved = await saveSale(ports.table, revision, kept, delta < 0 ? { audit, moved } : {})
  if (saved === 'conflict') return outcomeAfterConflict(ports, saleId, pending, revision)
  await fullShopfront(ports.publisher).refresh(saleId)
  return { kind: 'done', change: finished }
}

/** Applies the change to the stock; warms a never started sale first, in case a crash prevented that. */
async function addToStock(ports: SalePorts, record: SaleRecord, change: NumberedChange): Promise<StockChange> {
  const { warmed, epoch } = record.sale
  const added = await addToSaleStock(ports, record.sale, change)
  if (added.kind !== 'unknown-sale' || !warmed || epoch > 0) return added
  await warmAllShards(ports, record)
  return addToSaleStock(ports, record.sale, change)
}

async function addToSaleStock(ports: SalePorts, { saleId }: Sale, change: NumberedChange): Promise<StockChange> {
  if (!(await isSplit(ports.stock, saleId))) {
    return addStock(await onlyShard(ports.stock, saleId), saleId, change)
  }
  return changeSplitStock(ports, saleId, change)
}

/**
 * Returns the outcome after a save conflict at revision `seen`: another caller finished this change, or it is still pending.
 * Without a newer revision the cap refused, and always would, because more is sold than Redis knew. Then the change is dropped,
 * and a stock whose total differs from its sale is recovered.
 */
async function outcomeAfterConflict(
  ports: SalePorts,
  saleId: SaleId,
  pending: PendingStock,
  seen: number,
): Promise<Finished> {
  const record = await findSale(ports.table, saleId)
  if (record === undefined) return { kind: 'no-sale' }
  if (record.revision === seen) {
    if (pending.delta > 0) throw new Error(`the cap of ${saleId} takes no change`)
    const { sale, finishedStockChanges } = record
    const dropped = await saveSale(ports.table, seen, { sale, finishedStockChanges })
    return dropped === 'saved' ? { kind: 'below-sold' } : outcomeAfterConflict(ports, saleId, pending, seen)
  }
  const change = record.finishedStockChanges.find(({ number }) => number === pending.number)
  if (change !== undefined) return { kind: 'done', change }
  const waits = record.pendingStock?.number === pending.number
  return waits ? finish(ports, record, pending) : { kind: 'conflict' }
}

/** Publishes the change. For a split stock the tick does so once the shards have the units. */
async function publishToGate(
  { stock, gate }: SalePorts,
  saleId: SaleId,
  { delta, total, booked, stockRevision }: Record<'delta' | 'total' | 'booked' | 'stockRevision', number>,
  seen: StockFacts | undefined,
): Promise<void> {
  if (await isSplit(stock, saleId)) return
  if (delta > 0) return publishRestocked(gate, saleId, stockRevision)
  const isChecked = seen !== undefined && hasReturnableUnits(seen)
  if (total === booked && !isChecked) return publishSoldOut(gate, saleId, stockRevision)
}
