/** The sales that share the databases of the stock (S16). */
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import type { SaleBook } from '../table/sale/sales.ts'

type PlacedSalePorts = { sales: Pick<SaleBook, 'list'>; clock: () => number }

/** The sales that have a stock in a database and are not over. */
export async function readPlacedSales({ sales, clock }: PlacedSalePorts): Promise<Sale[]> {
  const now = clock()
  return (await sales.list()).filter((sale) => sale.warmed && !hasEnded(sale, now))
}
