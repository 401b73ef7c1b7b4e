/** The sales that share the databases of the stock (S16). */
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import { chooseDatabases, type Database, lastEndOf, type SaleLoad } from '../../core/stock/placement.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { warmedSales } from '../table/sale/sale-lists.ts'

/** The maximum of sales that a placement considers: those that start last before the sale ends. */
const maxOverlapping = 300

/** Returns the sales that have a stock in a database and are not over. */
export async function readPlacedSales({ table, clock }: Pick<ShopContext, 'table' | 'clock'>): Promise<Sale[]> {
  const now = clock()
  const all = await warmedSales(table, 'from', 0)
  return all.filter((sale) => !hasEnded(sale, now))
}

/** Returns the placed sales that may sell at the time of `sale`. */
export async function readOverlappingSales(
  { table, clock }: Pick<ShopContext, 'table' | 'clock'>,
  sale: SaleLoad,
): Promise<Sale[]> {
  const now = clock()
  const near = await warmedSales(table, 'before', lastEndOf(sale), maxOverlapping)
  return near.filter((other) => !hasEnded(other, now))
}

/** Returns a function that chooses among `databases`, by the sales that may sell at the same time. */
export async function placementFor(
  ports: Pick<ShopContext, 'table' | 'clock'>,
  sale: SaleLoad | undefined,
  databases: readonly Database[],
): Promise<(unplaced: SaleLoad) => readonly string[]> {
  const placed = sale === undefined ? [] : await readOverlappingSales(ports, sale)
  return (unplaced) => chooseDatabases(unplaced, placed, databases)
}
