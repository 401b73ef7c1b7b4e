/** Chooses the databases of a stock (S16, S17). Two big sales share a database only when every database has one. */

import type { Sale } from '../sale/sale.ts'
import type { StockDatabase } from './database.ts'
import { slotOf } from './hash-slot.ts'

export type Database = Pick<StockDatabase, 'name' | 'commandsPerSecond'>

/** Commands of an accepted order, if no requests share a call. */
export const commandsPerOrder = 4

export type SaleLoad = Pick<Sale, 'saleId' | 'stock' | 'windows' | 'startsAt' | 'endsAt' | 'databases' | 'shards'>

/** The sales in a database. `share` is the part of its capacity that they would use if they sold out in one second. */
export type DatabaseLoad<S extends SaleLoad> = Database & { sales: readonly S[]; share: number }

/** How long a function caches the databases of a split stock, ms. */
export const placementCacheMs = 2000

/** The timeout of a call that reserves units, ms. */
const maxCallMs = 2000

/** How long after a move of a shard a function may still use the former database, ms. */
export const formerPlacementMs = placementCacheMs + maxCallMs

/** Returns the names of databases for the shards of `sale`, possibly fewer. `others` are the sales that are not over. */
export function chooseDatabases(
  sale: SaleLoad,
  others: readonly SaleLoad[],
  databases: readonly Database[],
): readonly string[] {
  return rankDatabases(sale, others, databases).slice(0, sale.shards)
}

/**
 * Returns the databases of `sale` after moving every shard out of databases that are not in `answering`, if possible to
 * databases without a shard of the sale. Returns the same list if there is nothing to move, or no database answers.
 */
export function replaceDatabases(
  sale: SaleLoad,
  others: readonly SaleLoad[],
  answering: readonly Database[],
): readonly string[] {
  const answers = (name: string) => answering.some((database) => database.name === name)
  const isUsed = (name: string) => sale.databases.includes(name)
  const ranked = rankDatabases(sale, others, answering)
  const candidates = [...ranked.filter((name) => !isUsed(name)), ...ranked.filter(isUsed)]
  const moving = sale.databases.flatMap((name, shard) => (answers(name) ? [] : [shard]))
  return sale.databases.map((name, shard) => {
    const index = moving.indexOf(shard)
    return (index === -1 ? undefined : candidates[index % candidates.length]) ?? name
  })
}

/** Returns the names of all databases, the best one for a shard of the sale first. */
function rankDatabases(sale: SaleLoad, others: readonly SaleLoad[], databases: readonly Database[]): readonly string[] {
  const concurrent = others.filter((other) => other.saleId !== sale.saleId && overlap(sale, other))
  const ranked = salesByDatabase(concurrent, databases)
    .map((database) => ({
      ...database,
      share: database.share + shareOf(sale, database),
      // Sales are spread over databases with equal load.
      order: slotOf(`${sale.saleId}:0 in ${database.name}`),
    }))
    .toSorted((a, b) => Number(bothBig(sale, a)) - Number(bothBig(sale, b)) || a.share - b.share || a.order - b.order)
  return ranked.map(({ name }) => name)
}

export function salesByDatabase<S extends SaleLoad>(
  sales: readonly S[],
  databases: readonly Database[],
): DatabaseLoad<S>[] {
  return databases.map((database) => {
    const placed = sales.filter((sale) => sale.databases.includes(database.name))
    return { ...database, sales: placed, share: placed.reduce((sum, sale) => sum + shareOf(sale, database), 0) }
  })
}

/** True when the sale could use the whole database: selling the units of a shard in one second exceeds its capacity. */
export function isBig(sale: SaleLoad, database: Database): boolean {
  return shareOf(sale, database) > 1
}

function bothBig(sale: SaleLoad, database: DatabaseLoad<SaleLoad>): boolean {
  return isBig(sale, database) && database.sales.some((other) => isBig(other, database))
}

/** Returns the share of the capacity that the sale would use; above 1, shares only compare sales by their units. */
function shareOf(sale: SaleLoad, { commandsPerSecond }: Database): number {
  return (maxUnitsPerWindow(sale) * commandsPerOrder) / sale.shards / commandsPerSecond
}

/** Returns the units of the largest window; an unlimited stock (-1) counts as more than any other. */
function maxUnitsPerWindow({ stock, windows }: SaleLoad): number {
  const units = [stock, ...windows.map((window) => window.stock)]
  return units.includes(-1) ? Number.MAX_SAFE_INTEGER : Math.max(...units)
}

function overlap(a: SaleLoad, b: SaleLoad): boolean {
  return a.startsAt < lastEndOf(b) && b.startsAt < lastEndOf(a)
}

/** Returns the end of the last window, epoch ms. */
export function lastEndOf({ endsAt, windows }: SaleLoad): number {
  return Math.max(endsAt, ...windows.map((window) => window.endsAt))
}
