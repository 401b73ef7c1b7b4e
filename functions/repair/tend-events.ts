/**
 * What events need of the scheduled repair: it notes what sales do by the clock and by their stock, and what they have of
 * the shop's stock, and wakes the sender for events that are due.
 */
import {
  type NotedSaleStep,
  newSaleSteps,
  newStockSteps,
  type SaleUnits,
} from '../../core/events/sale-steps.ts'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { isBeingChecked, type StockFacts } from '../../redis/stock/stock.ts'
import { allEndpoints, wakeEndpoint } from '../table/events/endpoints.ts'
import { dueSubjects } from '../table/events/pending.ts'
import { addSaleSteps, readSaleSteps } from '../table/events/sale-steps.ts'
import { saleTotals } from '../table/sale/sale-orders.ts'
import type { SaleTotals } from '../table/stock/cap-item.ts'
import type { RepairPorts } from './ports.ts'

/** Events that are younger have a message of their own. */
const wakeAfterMs = 30_000

/** Wakes the sender for each endpoint whose events wait. @throws when a part is unavailable */
export async function wakeEndpoints({ table, clock }: Pick<RepairPorts, 'table' | 'clock'>): Promise<void> {
  for (const { id, disabledBy } of await allEndpoints(table)) {
    if (disabledBy !== undefined) continue
    const [due] = await dueSubjects(table, id, clock() - wakeAfterMs, 1)
    if (due !== undefined) await wakeEndpoint(table, id, clock())
  }
}

/** Whether events are sent to any endpoint. @throws when the table is unavailable */
export async function hasEndpoints(table: RepairPorts['table']): Promise<boolean> {
  return (await allEndpoints(table)).some(({ disabledBy }) => disabledBy === undefined)
}

/** Notes what a sale has done since the last look. @throws when the table is unavailable */
export type NoteSale = (sale: Sale, stock: StockFacts | undefined) => Promise<void>

/**
 * For one run. Without an endpoint nothing is noted. The steps of a sale are read once in a run, and again when another
 * run has added some.
 */
export async function saleNotes({ table, clock }: Pick<RepairPorts, 'table' | 'clock'>): Promise<NoteSale> {
  if (!(await hasEndpoints(table))) return async () => {}
  const known = new Map<SaleId, readonly NotedSaleStep[]>()
  return async (sale, stock) => {
    const { saleId } = sale
    // What is unknown is not sold out.
    const available = stock === undefined || stock.frozen || isBeingChecked(stock) ? -1 : stock.available
    const isOpen = stock !== undefined && !stock.frozen
    const now = clock()
    const fresh = (steps: readonly NotedSaleStep[]) =>
      newSaleSteps(steps, sale, available, now).filter(({ what }) => what === 'ended' || isOpen)
    if (fresh(known.get(saleId) ?? []).length === 0) return
    const seen = known.get(saleId) ?? (await readSaleSteps(table, saleId))
    known.set(saleId, seen)
    const steps = fresh(seen)
    if (steps.length === 0) return
    const added = await addSaleSteps(table, saleId, seen, steps)
    if (added === 'added') known.set(saleId, [...seen, ...steps])
    else known.delete(saleId)
  }
}

/**
 * Notes what the sale took from the stock of the shop or gave back since the last look: all its units once it is warmed,
 * and at the end those that were sold. An unlimited stock takes no units of the shop. Safe to repeat. A caller that looks at many
 * sales says whether there are endpoints (`sendsEvents`).
 * @throws when the table is unavailable
 */
export async function noteStock(
  { table, clock, sendsEvents }: Pick<RepairPorts, 'table' | 'clock'> & { sendsEvents?: boolean },
  sale: Sale,
): Promise<void> {
  const { saleId, stock, kind } = sale
  if (stock === -1 || kind === 'red-packet') return
  if (!(sendsEvents ?? (await hasEndpoints(table)))) return
  const totals = await saleTotals(table, saleId)
  if (totals === undefined) return
  const seen = await readSaleSteps(table, saleId)
  const steps = newStockSteps(seen, sale, unitsOf(totals, sale.archivedAt !== undefined), clock())
  // Another run that has noted something meanwhile leaves the rest to the next one.
  if (steps.length > 0) await addSaleSteps(table, saleId, seen, steps)
}

function unitsOf({ remaining, sold, variants }: SaleTotals, isOver: boolean): SaleUnits {
  const has = (left: number, gone: number) => (isOver ? gone : left + gone)
  return {
    quantity: has(remaining, sold),
    ...(variants && {
      units: Object.fromEntries(Object.entries(variants).map(([id, one]) => [id, has(one.left, one.sold)])),
    }),
  }
}
