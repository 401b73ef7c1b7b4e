/**
 * The part of events in the scheduled jobs: it records the phases of sales and their share of the shop's stock, and wakes the
 * sender for due events.
 */
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { lazyLoad } from '../../../functions/lib/lazy-load.ts'
import type { ShopContext, Table } from '../../../functions/lib/shop/shop.ts'
import type { InspectSale, OnVisit, ScheduledOption } from '../../../functions/sales/scheduled-option.ts'
import type { StepsSeam } from '../../../functions/sales/seams.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import type { SaleTotals } from '../../../functions/table/stock/cap-item.ts'
import { hasReturnableUnits } from '../../../redis/stock/stock.ts'
import { newSaleSteps, newStockSteps, type RecordedSaleStep, type SaleUnits } from '../core/sale-steps.ts'
import { addSaleSteps, dueSubjects, endpoints, readSaleSteps, readStepsOfSales, wakeEndpoint } from './table.ts'

type EventPorts = Pick<ShopContext, 'table' | 'clock'>

/** True when an enabled endpoint exists. Without one no step is recorded. */
const hasReceivers = async (table: Table): Promise<boolean> =>
  (await endpoints.all(table)).some(({ disabledBy }) => disabledBy === undefined)

/** Younger events have their own message in the queue. */
const wakeAfterMs = 30_000

/** Wakes the sender for each endpoint with overdue events. @throws when a part is unavailable */
export async function wakeEndpoints(ports: EventPorts): Promise<void> {
  const { table, clock } = ports
  for (const { id, disabledBy } of await endpoints.all(table)) {
    if (disabledBy !== undefined) continue
    const [due] = await dueSubjects(table, id, clock() - wakeAfterMs, 1)
    if (due !== undefined) await wakeEndpoint(table, id, clock())
  }
}

/** Returns a recorder of the phases of sales, for one run. It reads the steps of a sale again when another run has added some. */
export async function saleStepRecorder(ports: EventPorts): Promise<InspectSale> {
  const { table, clock } = ports
  if (!(await hasReceivers(table))) return async () => {}
  const known = new Map<SaleId, readonly RecordedSaleStep[]>()
  /** By sale: the window, and the revision that had sold out at the first reading in it. */
  const firsts = new Map<SaleId, { windowIndex: number; soldOutBefore: number }>()
  return async (sale, { stock, gate }) => {
    const { saleId, windowIndex } = sale
    if (gate !== undefined && firsts.get(saleId)?.windowIndex !== windowIndex) {
      // A late report of a former window has a lower revision than the units of this window.
      const soldOutBefore = Math.max(gate.soldOutRevision, gate.restockedRevision - 1)
      firsts.set(saleId, { windowIndex, soldOutBefore })
    }
    // An unknown stock does not count as sold out.
    const available = stock === undefined || stock.frozen || hasReturnableUnits(stock) ? -1 : stock.available
    const isOpen = stock !== undefined && !stock.frozen
    const now = clock()
    const { soldOutBefore = -1 } = firsts.get(saleId) ?? {}
    const reading = { available, soldOut: gate?.soldOutRevision ?? -1, soldOutBefore }
    const fresh = (steps: readonly RecordedSaleStep[]) =>
      newSaleSteps(steps, sale, reading, now).filter(({ what }) => what === 'ended' || isOpen)
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
 * Returns a recorder of the units that sales took from the shop's stock or returned since the last run: all units once a sale
 * is warmed, and at the end only the sold ones. An unlimited stock takes none. Safe to repeat. For one run over `sales`, it
 * reads the endpoints and the steps of all sales once, at the first sale.
 */
export function stockStepRecorder(ports: EventPorts, sales: readonly Pick<Sale, 'saleId'>[]): OnVisit {
  const { table, clock } = ports
  const saleIds = sales.map(({ saleId }) => saleId)
  const known = lazyLoad(async () => ((await hasReceivers(table)) ? readStepsOfSales(table, saleIds) : undefined))
  return async (sale) => {
    const { saleId, stock, kind } = sale
    if (stock === -1 || kind === 'red-packet') return
    const all = await known()
    if (all === undefined) return
    const totals = await saleTotals(table, saleId)
    if (totals === undefined) return
    const seen = all.get(saleId) ?? []
    const steps = newStockSteps(seen, sale, unitsOf(totals, sale.archivedAt !== undefined), clock())
    // On a conflict with another run, the next run records the rest.
    if (steps.length > 0) await addSaleSteps(table, saleId, seen, steps)
  }
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

const events: ScheduledOption = {
  part: 'events',
  isWoken: true,
  onVisit: stockStepRecorder,
  begin(ports) {
    const recorder = lazyLoad(() => saleStepRecorder(ports))
    return { run: () => wakeEndpoints(ports), inspect: async (sale, seen) => (await recorder())(sale, seen) }
  },
}

export const steps = { scheduled: events } satisfies StepsSeam
