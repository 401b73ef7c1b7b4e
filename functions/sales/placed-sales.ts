/** The sales that share the databases of the stock (S16). */

import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import { lastEndOf, type SaleLoad } from '../../core/stock/placement.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { warmedSales } from '../table/sale/sale-lists.ts'

/** Sales that a placement looks at, at most: those that start last before the sale ends. */
const mostBeside = 300

/** The sales that have a stock in a database and are not over. */
export async function readPlacedSales({ table, clock }: Pick<Shop, 'table' | 'clock'>): Promise<Sale[]> {
  const now = clock()
  const all = await warmedSales(table, 'from', 0)
  return all.filter((sale) => !hasEnded(sale, now))
}

/** Those of them that may sell at the time of `sale`. */
export async function readSalesBeside(
  { table, clock }: Pick<Shop, 'table' | 'clock'>,
  sale: SaleLoad,
): Promise<Sale[]> {
  const now = clock()
  const near = await warmedSales(table, 'before', lastEndOf(sale), mostBeside)
  return near.filter((other) => !hasEnded(other, now))
}
