/** Which sales have their stock in which database (S16). */
import type { DatabaseList } from '../../core/api/control.ts'
import { type Database, isBig, placementOf } from '../../core/stock/placement.ts'
import { readPlacedSales } from '../sales/placed-sales.ts'
import type { SaleBook } from '../table/sale/sales.ts'

export type DatabasePorts = {
  sales: Pick<SaleBook, 'list'>
  clock: () => number
  /** Where stocks are placed. */
  databases: readonly Database[]
}

export async function listDatabases(ports: DatabasePorts): Promise<DatabaseList> {
  const placed = placementOf(await readPlacedSales(ports), ports.databases)
  const databases = placed.map(({ name, commandsPerSecond, share, sales }) => {
    const rows = sales.map((sale) => ({ sale, isBig: isBig(sale, { name, commandsPerSecond }) }))
    return { name, commandsPerSecond, share, sales: rows }
  })
  return { databases }
}
