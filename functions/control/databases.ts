/** Which sales have their stock in which database (S16). */

import type { DatabaseList } from '../../core/api/control-answers.ts'
import { isBig, placementOf } from '../../core/stock/placement.ts'
import { readPlacedSales } from '../sales/placed-sales.ts'
import type { Shop } from '../shop/shop.ts'

export async function listDatabases(
  ports: Pick<Shop, 'table' | 'clock' | 'databases'>,
): Promise<DatabaseList> {
  const placed = placementOf(await readPlacedSales(ports), ports.databases)
  const databases = placed.map(({ name, commandsPerSecond, share, sales }) => {
    const rows = sales.map((sale) => ({ sale, isBig: isBig(sale, { name, commandsPerSecond }) }))
    return { name, commandsPerSecond, share, sales: rows }
  })
  return { databases }
}
