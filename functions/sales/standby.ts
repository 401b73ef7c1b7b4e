/**
 * The standby list of a sale: it begins when the sale has sold out, and is over when no shopper waits on it any more. Both
 * are one save of the sale, after which the gate lets in by offer alone, or all again. The function `draws` ranks and offers.
 */
import { isOnStandby, partsOfMember } from '../../core/sale/early-access.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { drawnAt, drawOf, leavesTimeToStandBy } from '../../core/sale/sale-draw.ts'
import { removeList } from '../../redis/gate/members.ts'
import { isBeingChecked, type StockFacts } from '../../redis/stock/stock.ts'
import type { Table } from '../lib/shop/table.ts'
import { listDraw, readDrawState } from '../table/draw/draws.ts'
import { allEarlyShoppers, removeEarlyShoppers } from '../table/sale/early-lists.ts'
import { findSale, saveSale } from '../table/sale/sales.ts'
import { type Actor, auditOf } from './audit.ts'
import { revised } from './changed-sale.ts'
import { applyEffects, type SalePorts } from './effects.ts'

/** Ranks that are late by more will not come. */
const lateMs = 600_000

/**
 * Begins or ends the standby list of a sale where that is due, by its `stock` as it was seen. A change of the sale meanwhile leaves it to the next look,
 * and a run that is cut off is finished by the repair of the sale.
 * @throws when a part is unavailable
 */
export async function keepStandby(
  ports: SalePorts,
  actor: Actor,
  sale: Sale,
  stock: StockFacts | undefined,
): Promise<void> {
  const { table, gate, clock } = ports
  const change = await dueChange(table, sale, stock, clock())
  if (change === undefined) return
  const { saleId } = sale
  const record = await findSale(table, saleId)
  if (record === undefined || record.sale.version !== sale.version) return
  if (change.standbyFrom !== undefined) {
    // From now on the list has offers alone.
    const listed = (await allEarlyShoppers(table, saleId)).map((member) => partsOfMember(member).shopperId)
    await removeEarlyShoppers(table, saleId, listed)
    await removeList(gate, saleId)
  }
  const { revision, sale: before, ...kept } = record
  const next = revised(before, clock(), change)
  const audit = auditOf({ ...actor, what: 'standby', saleId, when: clock() }, before, next)
  if ((await saveSale(table, revision, { ...kept, sale: next }, { audit })) === 'conflict') return
  const after = await findSale(table, saleId)
  if (after !== undefined) await applyEffects(ports, after)
}

async function dueChange(
  table: Table,
  sale: Sale,
  stock: StockFacts | undefined,
  now: number,
): Promise<Pick<Sale, 'standbyFrom' | 'standbyOver'> | undefined> {
  if (isOnStandby(sale)) {
    const draw = drawOf(sale)
    const state = await readDrawState(table, sale.saleId)
    // A run that was cut off after it began the list has not listed its draw, and the repair of the gate may not come to it.
    if (state === undefined) await listDraw(table, sale.saleId)
    const isLate = draw !== undefined && now > drawnAt(draw) + lateMs && state?.phase !== 'decided'
    return isLate || state?.isOver || state?.phase === 'void' ? { standbyOver: true } : undefined
  }
  const isSoldOut = stock?.available === 0 && !stock.frozen && !isBeingChecked(stock)
  return isSoldOut && sale.flag === 'on' && leavesTimeToStandBy(sale, now) ? { standbyFrom: now } : undefined
}
