/** What a list of sales says of each: units sold and left, paid orders, revenue, and from what the people waiting follow. */
import type { SaleNumbers } from '../../core/api/control-answers.ts'
import type { SaleId } from '../../core/ids.ts'
import { refusedForPlace } from '../../core/sale/live-pace.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { demandFigures } from '../../core/sale/series.ts'
import { readDemand } from '../../redis/gate/demand.ts'
import { readAdmissions } from '../../redis/gate/replenish.ts'
import type { StorePorts } from '../lib/shop/shop.ts'
import { isSelling } from '../repair/tick-sale.ts'
import { type PaidCounters, readPaidOrders } from '../table/orders/paid-orders.ts'
import { saleTotalsInOneRead } from '../table/sale/sale-orders.ts'
import { orUnavailable, unitsLeft } from './live.ts'

/**
 * The numbers of `sales` by their ids, from the same counters as the live numbers: of a sale that was started two queries
 * of the table, and while it sells three reads of Redis. A sale that was never started is not read.
 * @throws when the table is unavailable
 */
export async function numbersOf(ports: StorePorts, sales: readonly Sale[]): Promise<Record<SaleId, SaleNumbers>> {
  const rows = await Promise.all(sales.map(async (sale) => [sale.saleId, await numbersOfSale(ports, sale)]))
  return Object.fromEntries(rows)
}

async function numbersOfSale(ports: StorePorts, sale: Sale): Promise<SaleNumbers> {
  const { saleId, kind, stock, epoch } = sale
  const { table, clock } = ports
  if (epoch === 0) return { ...moneyIn(sale, undefined), sold: 0, left: stock, out: null, full: null }
  const sells = isSelling(sale, clock())
  const [totals, counted, left, admissions, demand] = await Promise.all([
    saleTotalsInOneRead(table, saleId),
    kind === 'goods' ? readPaidOrders(table, saleId) : undefined,
    sells ? orUnavailable(() => unitsLeft(ports, sale)) : undefined,
    sells ? orUnavailable(() => readAdmissions(ports.gate, saleId)) : undefined,
    sells ? orUnavailable(() => readDemand(ports.gate, saleId)) : undefined,
  ])
  const claimed = kind === 'red-packet' ? { revenue: totals?.money?.claimed ?? 0 } : {}
  return {
    ...moneyIn(sale, counted),
    ...claimed,
    sold: totals?.sold ?? 0,
    left: left === undefined ? (totals?.remaining ?? stock) : left,
    out: admissions?.out ?? null,
    full: demand ? refusedForPlace(demandFigures(demand)) : null,
    ...(totals?.redrivenAt !== undefined && { redrivenAt: totals.redrivenAt }),
  }
}

/** Only goods are paid for. */
function moneyIn({ kind }: Sale, counted: PaidCounters | undefined): Pick<SaleNumbers, 'paid' | 'revenue'> {
  if (kind !== 'goods') return { paid: null, revenue: null }
  return { paid: counted?.orders ?? 0, revenue: counted?.amount ?? 0 }
}
