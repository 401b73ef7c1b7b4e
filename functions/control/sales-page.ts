/**
 * `GET /api/control/sales`: the sales page by page, the latest start first, all of them or those that
 * a search accepts. Archived ones are a list of their own.
 */
import type * as z from 'zod/mini'
import type { SalesPage } from '../../core/api/control-answers.ts'
import type { controlOperations } from '../../core/api/control-requests.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { cursorOfSale, type SalePlace } from '../../core/sale/sale-place.ts'
import { finderOf, isEmptySearch } from '../../core/sale/sale-search.ts'
import type { Shop } from '../shop/shop.ts'
import type { Table } from '../table/dynamodb.ts'
import { pageOfSales, type SaleList, type SalePage } from '../table/sale/sales.ts'

/** Sales that one call reads for a search, at most, and in one step: a batch of DynamoDB. */
const maxRead = 300
const readInStep = 100

type SalesQuery = z.output<(typeof controlOperations.listSales)['query']>

/** `next` is the `after` of the next page, null on the last one. */
export async function readSalesPage(
  { table, clock }: Pick<Shop, 'table' | 'clock'>,
  { limit, after, archived, ...search }: SalesQuery,
): Promise<SalesPage> {
  const list = archived === 'true' ? 'archived' : 'current'
  const page = isEmptySearch(search)
    ? await pageOfSales(table, list, limit, after)
    : await foundPage(table, list, finderOf(search, clock()), { limit, after })
  return { sales: page.sales, next: page.next === undefined ? null : cursorOfSale(page.next) }
}

/**
 * Reads on until `limit` sales are found, but at most `maxRead` sales: with few matches among many sales
 * a page may be short or empty although more come.
 */
async function foundPage(
  table: Table,
  list: SaleList,
  isWanted: (sale: Sale) => boolean,
  { limit, after }: { limit: number; after: SalePlace | undefined },
): Promise<SalePage> {
  const found: Sale[] = []
  let place = after
  for (let read = 0; read < maxRead; read += readInStep) {
    const page = await pageOfSales(table, list, readInStep, place)
    found.push(...page.sales.filter(isWanted))
    const last = found[limit - 1]
    // Those beyond the limit are read again with the next page.
    if (last !== undefined && found.length > limit) return { sales: found.slice(0, limit), next: last }
    if (page.next === undefined) return { sales: found }
    place = page.next
    if (last !== undefined) break
  }
  return place === undefined ? { sales: found } : { sales: found, next: place }
}
