/**
 * The clock's steps of a sale with several windows (R7). After a window the sale moves to the next: it takes that window's
 * times, its units are added to those left, and nothing sells until it opens under an epoch of its own. A paused sale moves on
 * and stays paused. A window opens by itself if a marketer has started the sale before; the first one needs the marketer.
 *
 * The move is one save: times, units and cap change together, and the units then reach Redis like any other stock change. So a
 * sale moves exactly once; the next caller finishes an interrupted move (I5).
 *
 * A sale that was started before its time opens at the gate by the clock alone; then a step publishes its start token (C6).
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { dueWork } from '../../core/sale/sale-life.ts'
import { maxStock } from '../../core/sale/settings.ts'
import type { VariantUnits } from '../../core/sale/variants.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { SaleRecord } from '../table/sale/sale-item.ts'
import { type Saved, saveSale } from '../table/sale/sales.ts'
import { type Actor, auditOf } from './audit.ts'
import { changedStock, revised } from './changed-sale.ts'
import { applyEffects, type SalePorts } from './effects.ts'
import { tryFinishStockChange } from './finish-stock-change.ts'

/** The step adds `units` to the stock; `variants` are those of each variant, in a sale that has some. */
export type WindowStep = { what: 'next-window' | 'open'; sale: Sale; units: number; variants?: VariantUnits }

/** Returns the step that is due at `now` (epoch ms), or undefined. A sale that is not warmed, or closed, has none. */
export function dueStep(sale: Sale, now: number, newToken: () => string): WindowStep | undefined {
  switch (dueWork(sale, now)) {
    case 'next-window':
      return nextWindowStep(sale, now)
    case 'open': {
      const opened = sale.flag === 'on' ? { armed: undefined } : openedAs(sale, now, newToken)
      return { what: 'open', sale: revised(sale, now, opened), units: 0 }
    }
    default:
      return undefined
  }
}

/** Returns the state of an opened sale: flag on, a new epoch, and an unpredictable token (C6), public from `startsAt` on. */
export function openedAs(
  { epoch, startsAt }: Sale,
  now: number,
  newToken: () => string,
): Pick<Sale, 'flag' | 'epoch' | 'startToken' | 'armed'> {
  return { flag: 'on', epoch: epoch + 1, startToken: newToken(), armed: now < startsAt || undefined }
}

/** Moves the sale to its next window, without a token: it was never open there, and resuming it starts a new epoch. */
function nextWindowStep(sale: Sale, now: number): WindowStep | undefined {
  const saleWindow = nextWindow(sale)
  if (saleWindow === undefined) return undefined
  const { startsAt, endsAt } = saleWindow
  // A marketer may have added stock, so the units of the window could exceed the maximum.
  const units = Math.min(saleWindow.stock, maxStock - sale.stock)
  const variants = saleWindow.units && limitUnits(saleWindow.units, units)
  const flag = sale.flag === 'paused' ? 'paused' : 'off'
  const stocks = changedStock(sale, { delta: units, ...(variants && { units: variants }) })
  const present = { windowIndex: sale.windowIndex + 1, startsAt, endsAt, ...stocks }
  const movedSale = revised(sale, now, { ...present, flag, startToken: null, armed: undefined })
  return { what: 'next-window', units, ...(variants && { variants }), sale: movedSale }
}

/** Returns at most `max` of the units. */
function limitUnits(units: VariantUnits, max: number): VariantUnits {
  let room = max
  const taken = Object.entries(units).map(([id, wanted]) => {
    const some = Math.min(wanted, room)
    room -= some
    return [id, some] as const
  })
  return Object.fromEntries(taken)
}

/** A sale that no run has visited for long moves several times; other runs may do so concurrently. */
const maxSteps = 200

/**
 * Takes the due steps one after the other; resolves with the sale afterwards, or undefined when there is none.
 * @throws when a part is unavailable, and when a pending stock change cannot be finished now
 */
export async function advanceSale(
  ports: SalePorts & Pick<ShopContext, 'newToken'>,
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
    if (step.what === 'next-window' && record.pendingStock !== undefined) {
      throw unfinishedChange ?? new Error(`a pending stock change keeps ${saleId} from its next window`)
    }
    if ((await saveStep(ports, actor, record, step)) === 'conflict') continue
    const after = await tryFinishStockChange(ports, saleId)
    if (after === undefined) return undefined
    await applyEffects(ports, after.record)
    if (after.unfinishedChange !== undefined) throw after.unfinishedChange
  }
  throw new Error(`${saleId} still has due steps after ${maxSteps}`)
}

/** Returns the sale after its due steps, or undefined when it is gone. @throws as `advanceSale` does */
export async function advanceIfDue(
  ports: SalePorts & Pick<ShopContext, 'newToken' | 'newId'>,
  sale: Sale,
): Promise<Sale | undefined> {
  if (dueWork(sale, ports.clock()) === undefined) return sale
  return advanceSale(ports, { who: 'reconcile', requestId: ports.newId() }, sale.saleId)
}

function saveStep(
  { table, clock }: SalePorts & Pick<ShopContext, 'newToken'>,
  actor: Actor,
  { sale: before, revision, ...kept }: SaleRecord,
  { what, sale, units, variants }: WindowStep,
): Promise<Saved> {
  const audit = auditOf({ ...actor, what, saleId: sale.saleId, when: clock() }, before, sale)
  if (units === 0) return saveSale(table, revision, { ...kept, sale }, { audit })
  const changeId = `window-${sale.windowIndex}`
  const moved = { delta: units, ...(variants && { units: variants }) }
  const pendingStock = { changeId, number: revision + 1, ...moved, ...actor }
  return saveSale(table, revision, { ...kept, sale, pendingStock }, { audit, moved })
}
