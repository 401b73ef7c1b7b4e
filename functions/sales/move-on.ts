/**
 * Moves a sale to its current window (R7). Turning is one save: times, units and cap change
 * together, and the units then reach Redis like any other stock change. So a sale turns exactly
 * once; the next caller finishes what was cut off (I5).
 */

import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { SaleRecord } from '../table/sale/sale-item.ts'
import { type Saved, saveMovedUnits, saveSale } from '../table/sale/sales.ts'
import { type Actor, auditOf } from './audit.ts'
import { applyEffects, type SalePorts } from './effects.ts'
import { tryFinishStockChange } from './finish-stock-change.ts'
import { dueStep, type WindowStep } from './window-steps.ts'

/**
 * A sale that was not looked after for long turns more than once; others may be at it at the same
 * time.
 */
const maxSteps = 200

/**
 * Takes the steps that are due, one after the other; resolves with the sale as it is then, or
 * undefined when there is none.
 * @throws when a part is unavailable, and when a stock change is in the way that cannot be finished
 * now
 */
export async function moveOn(
  ports: SalePorts & Pick<Shop, 'newToken'>,
  actor: Actor,
  saleId: SaleId,
): Promise<Sale | undefined> {
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const present = await tryFinishStockChange(ports, saleId)
    if (present === undefined) return undefined
    const { record, unfinishedChange } = present
    if (record.sale.archivedAt !== undefined) return record.sale
    const step = dueStep(record.sale, ports.clock(), ports.newToken)
    if (step === undefined) return record.sale
    if (step.what === 'turn' && record.pendingStock !== undefined) {
      throw unfinishedChange ?? new Error(`a change of the stock of ${saleId} keeps it from its next window`)
    }
    if ((await take(ports, actor, record, step)) === 'conflict') continue
    const after = await tryFinishStockChange(ports, saleId)
    if (after === undefined) return undefined
    await applyEffects(ports, after.record)
    if (after.unfinishedChange !== undefined) throw after.unfinishedChange
  }
  throw new Error(`${saleId} does not come to rest in any of its windows`)
}

function take(
  { table, clock }: SalePorts & Pick<Shop, 'newToken'>,
  actor: Actor,
  { sale: before, revision, ...kept }: SaleRecord,
  { what, sale, units, variants }: WindowStep,
): Promise<Saved> {
  const audit = auditOf({ ...actor, what, saleId: sale.saleId, when: clock() }, before, sale)
  if (units === 0) return saveSale(table, revision, { ...kept, sale }, { audit })
  const changeId = `window-${sale.windowIndex}`
  const moved = { delta: units, ...(variants && { units: variants }) }
  const pendingStock = { changeId, number: revision + 1, ...moved, ...actor }
  return saveMovedUnits(table, revision, { ...kept, sale, pendingStock }, { audit, moved })
}
