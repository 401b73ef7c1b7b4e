/**
 * `GET /api/control/sales`: the sales page by page, the latest start first, all of them or those that
 * a search accepts. Archived ones are a list of their own.
 */
import type * as z from 'zod/mini'
import type { SalesPage } from '../../core/api/control-answers.ts'
import type { controlOperations } from '../../core/api/control-requests.ts'
import { cursorOfSale } from '../../core/sale/sale-cursor.ts'
import { isEmptySearch } from '../../core/sale/sale-search.ts'
import type { StorePorts } from '../lib/shop/shop.ts'
import { isOver } from '../repair/reconcile-sale.ts'
import { pageOfFound, pageOfSales } from '../table/sale/sale-lists.ts'
import { numbersOf } from './sale-numbers.ts'

type SalesQuery = z.output<(typeof controlOperations.listSales)['query']>

/** `next` is the `after` of the next page, null on the last one. */
export async function readSalesPage(
  ports: StorePorts,
  { limit, after, archived, numbers, ...search }: SalesQuery,
): Promise<SalesPage> {
  const { table, clock } = ports
  const list = archived === 'true' ? 'archived' : 'current'
  const page = isEmptySearch(search)
    ? await pageOfSales(table, list, limit, after)
    : await pageOfFound(table, list, search, { limit, after, now: clock() })
  const counted = numbers === 'moving' ? page.sales.filter((sale) => !isOver(sale, clock())) : page.sales
  return {
    sales: page.sales,
    ...(numbers !== 'false' && { numbers: await numbersOf(ports, counted) }),
    next: page.next === undefined ? null : cursorOfSale(page.next),
  }
}
