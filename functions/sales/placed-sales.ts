/** The sales that share the databases of the stock (S16). */

import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import type { Shop } from '../shop/shop.ts'
import { currentSales } from '../table/sale/sales.ts'

/** The sales that have a stock in a database and are not over. */
export async function readPlacedSales({ table, clock }: Pick<Shop, 'table' | 'clock'>): Promise<Sale[]> {
  const now = clock()
  return (await currentSales(table)).filter((sale) => sale.warmed && !hasEnded(sale, now))
}
