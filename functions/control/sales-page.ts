/**
 * `GET /api/control/sales`: pages of sales with their numbers, the latest start first, all of them or those that match a
 * search. Archived sales are a separate list.
 */
import type * as z from 'zod/mini'
import type { SaleNumbers, SalesPage } from '../../core/api/control-answers.ts'
import type { controlOperations } from '../../core/api/control-requests.ts'
import type { SaleId } from '../../core/ids.ts'
import { refusedAtCapacity } from '../../core/sale/live-pace.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { cursorOfSale } from '../../core/sale/sale-cursor.ts'
import { isOver, isSelling } from '../../core/sale/sale-life.ts'
import { isEmptySearch } from '../../core/sale/sale-search.ts'
import { demandFigures } from '../../core/sale/series.ts'
import { readDemand } from '../../redis/gate/demand.ts'
import { readAdmissions } from '../../redis/gate/replenish.ts'
import type { StorePorts } from '../lib/shop/shop.ts'
import { type PaidCounters, readPaidOrders } from '../table/orders/paid-orders.ts'
import { pageOfSales, searchSales } from '../table/sale/sale-lists.ts'
import { saleTotalsByQuery } from '../table/sale/sale-orders.ts'
import { nullIfUnavailable, unitsLeft } from './live.ts'

/** Returns one page. `next` is the `after` of the next page, null on the last one. */
export async function readSalesPage(
  ports: StorePorts,
  { limit, after, archived, numbers, ...search }: z.output<(typeof controlOperations.listSales)['query']>,
): Promise<SalesPage> {
  const { table, clock } = ports
  const list = archived === 'true' ? 'archived' : 'current'
  const page = isEmptySearch(search)
    ? await pageOfSales(table, list, limit, after)
    : await searchSales(table, list, search, { limit, after, now: clock() })
  const counted = numbers === 'moving' ? page.sales.filter((sale) => !isOver(sale, clock())) : page.sales
  return {
    sales: page.sales,
    ...(numbers !== 'false' && { numbers: await numbersOf(ports, counted) }),
    next: page.next === undefined ? null : cursorOfSale(page.next),
  }
}

/**
 * Returns the numbers of `sales` by id, from the same counters as the live numbers. A started sale costs two queries of the
 * table, and while it sells three reads of Redis. A sale that was never started costs none.
 * @throws when the table is unavailable
 */
async function numbersOf(ports: StorePorts, sales: readonly Sale[]): Promise<Record<SaleId, SaleNumbers>> {
  const rows = await Promise.all(sales.map(async (sale) => [sale.saleId, await numbersOfSale(ports, sale)]))
  return Object.fromEntries(rows)
}

async function numbersOfSale(ports: StorePorts, sale: Sale): Promise<SaleNumbers> {
  const { saleId, kind, stock, epoch } = sale
  const { table, clock } = ports
  if (epoch === 0) return { ...moneyIn(sale, undefined), sold: 0, left: stock, out: null, full: null }
  const sells = isSelling(sale, clock())
  const [totals, counted, left, admissions, demand] = await Promise.all([
    saleTotalsByQuery(table, saleId),
    kind === 'goods' ? readPaidOrders(table, saleId) : undefined,
    sells ? nullIfUnavailable(() => unitsLeft(ports, sale)) : undefined,
    sells ? nullIfUnavailable(() => readAdmissions(ports.gate, saleId)) : undefined,
    sells ? nullIfUnavailable(() => readDemand(ports.gate, saleId)) : undefined,
  ])
  const claimed = kind === 'red-packet' ? { revenue: totals?.money?.claimed ?? 0 } : {}
  return {
    ...moneyIn(sale, counted),
    ...claimed,
    sold: totals?.sold ?? 0,
    left: left === undefined ? (totals?.remaining ?? stock) : left,
    out: admissions?.out ?? null,
    full: demand ? refusedAtCapacity(demandFigures(demand)) : null,
    ...(totals?.redrivenAt !== undefined && { redrivenAt: totals.redrivenAt }),
  }
}

/** Returns the paid orders and their revenue; only goods have some. */
function moneyIn({ kind }: Sale, counted: PaidCounters | undefined): Pick<SaleNumbers, 'paid' | 'revenue'> {
  if (kind !== 'goods') return { paid: null, revenue: null }
  return { paid: counted?.orders ?? 0, revenue: counted?.amount ?? 0 }
}
