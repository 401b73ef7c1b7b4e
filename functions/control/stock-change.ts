/** Adds or removes units of a sale, exactly once per change (I5). */
import { isDeepStrictEqual } from 'node:util'
import type { SaleId } from '../../core/ids.ts'
import type { Refusal, RefusalReason } from '../../core/refusals.ts'
import { plansOf, type Sale } from '../../core/sale/sale.ts'
import { maxStock } from '../../core/sale/settings.ts'
import { type Actor, auditOf } from '../sales/audit.ts'
import { changedStock } from '../sales/changed-sale.ts'
import { finishDeletion, type SalePorts } from '../sales/effects.ts'
import { type Finished, finish, finishStockChange } from '../sales/finish-stock-change.ts'
import type { SaleRecord } from '../table/sale/sale-item.ts'
import { findSale, saveSale } from '../table/sale/sales.ts'

/**
 * Counters in Redis just after the change. `postponed`: the change is saved and applied once the lost stock is rebuilt.
 * `stock-missing`: the same holds for an earlier change, and this one was not saved.
 */
export type StockOutcome =
  | { kind: 'done'; total: number; booked: number }
  | { kind: 'no-sale' | 'conflict' | 'stock-missing' | 'postponed' }
  | ({ kind: 'refused' } & Refusal)

/** `changeId` is the same for every repeat of one change. `variant` is the variant of the units, if any. */
export type StockChangeRequest = { changeId: string; delta: number; variant?: string | undefined }

const refused = (reason: RefusalReason, more: Omit<Refusal, 'reason'> = {}): StockOutcome => ({
  kind: 'refused',
  reason,
  field: 'delta',
  ...more,
})

/** Adds `delta` units, or removes units that nobody holds. A repeat gets the first answer; a refused change may be retried. */
export async function changeStock(
  ports: SalePorts,
  actor: Actor,
  saleId: SaleId,
  request: StockChangeRequest,
): Promise<StockOutcome> {
  const current = await finishStockChange(ports, saleId)
  if (current.kind !== 'record') return current
  const { sale, revision, pendingStock, finishedStockChanges } = current.record
  const { changeId, delta, variant } = request
  const units = variant === undefined ? undefined : { [variant]: delta }
  if (sale.archivedAt !== undefined) return refused('archived')
  const earlier = finishedStockChanges.find((change) => change.changeId === changeId)
  if (earlier !== undefined) {
    if (earlier.delta !== delta || !isDeepStrictEqual(earlier.units, units))
      return refused('key-used', { field: 'Idempotency-Key' })
    await ports.publisher.pointer(saleId)
    return outcomeOf({ kind: 'done', change: earlier })
  }
  if (pendingStock !== undefined) {
    return { kind: pendingStock.changeId === changeId ? 'postponed' : 'stock-missing' }
  }
  if (sale.kind === 'red-packet') return refused('packets-fixed')
  if (!sale.warmed) return refused('not-published')
  const [plan] = plansOf(sale)
  if (plan !== undefined) return refused(plan.fixedBy, { values: { field: 'stock' } })
  if (sale.stock === -1) return refused('stock-unlimited')
  const fault = faultOfVariant(sale, variant)
  if (fault !== undefined) return refused(fault, { field: 'variant' })
  const moved = { delta, ...(units && { units }) }
  const after = { ...sale, ...changedStock(sale, moved) }
  const all = [after.stock, ...(after.variants ?? []).map(({ stock }) => stock)]
  if (all.some((stock) => stock < 0 || stock > maxStock)) {
    return refused('stock-range', { values: { limit: maxStock } })
  }

  const now = ports.clock()
  const pending = { changeId, number: revision + 1, ...moved, ...actor }
  const next = delta > 0 ? { ...after, updatedAt: now } : sale
  const kept = { sale: next, finishedStockChanges, pendingStock: pending }
  const audit = auditOf({ ...actor, what: 'stock', saleId, when: now }, sale, next)
  const saved = await saveSale(ports.table, revision, kept, delta > 0 ? { audit, moved } : {})
  if (saved === 'conflict') {
    const isSaved = isRecorded(await findSale(ports.table, saleId), changeId)
    return isSaved ? changeStock(ports, actor, saleId, request) : { kind: 'conflict' }
  }
  const finished = await finish(ports, { ...kept, revision: revision + 1 }, pending)
  // The sale was deleted meanwhile, so remove the units that this change added.
  if (finished.kind === 'no-sale') await finishDeletion(ports, saleId)
  return outcomeOf(finished)
}

/** Rejects a change without a variant of a sale with variants, and an unknown variant. */
function faultOfVariant({ variants }: Sale, variant: string | undefined): RefusalReason | undefined {
  if (variant === undefined) return variants === undefined ? undefined : 'variant-required'
  return variants?.some(({ id }) => id === variant) ? undefined : 'variant-unknown'
}

/** True when a concurrent repeat of this request has saved the change. */
function isRecorded(record: SaleRecord | undefined, changeId: string): boolean {
  const changes = [record?.pendingStock, ...(record?.finishedStockChanges ?? [])]
  return changes.some((change) => change?.changeId === changeId)
}

function outcomeOf(finished: Finished): StockOutcome {
  switch (finished.kind) {
    case 'done':
      return { kind: 'done', total: finished.change.total, booked: finished.change.booked }
    case 'below-booked':
      return refused('stock-reserved', { values: { limit: finished.free } })
    case 'below-sold':
      return refused('stock-differs')
    case 'stock-missing':
      return { kind: 'postponed' }
    case 'no-sale':
    case 'conflict':
      return { kind: finished.kind }
  }
}
