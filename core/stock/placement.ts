/** Which database a stock is placed in (S16, S17). Two big sales share one only when every database has one. */

import type { Sale } from '../sale/sale.ts'
import type { StockDatabase } from './database.ts'
import { slotOf } from './hash-slot.ts'

/** A database as the placement sees it. */
export type Database = Pick<StockDatabase, 'name' | 'commandsPerSecond'>

/** What an accepted order costs a database where no two requests share one call. */
export const commandsPerOrder = 4

/** A sale as the placement sees it. */
export type SaleLoad = Pick<Sale, 'saleId' | 'stock' | 'windows' | 'startsAt' | 'endsAt' | 'databases' | 'shards'>

/** The sales in a database; `share` is the part of its capacity that they would use in one second. */
export type DatabaseLoad<S extends SaleLoad> = Database & { sales: readonly S[]; share: number }

/** How long a function remembers the databases of a split stock, ms. */
export const placementCacheMs = 2000

/** The longest call of a function that reserves units, ms. */
const maxCallMs = 2000

/** How long after a shard moved a function may still use its former database, ms. */
export const formerPlacementMs = placementCacheMs + maxCallMs

/** Returns the databases for the shards of `sale`, by name; perhaps fewer. `others` are the sales that are not over. */
export function chooseDatabases(
  sale: SaleLoad,
  others: readonly SaleLoad[],
  databases: readonly Database[],
): readonly string[] {
  return rankDatabases(sale, others, databases).slice(0, sale.shards)
}

/**
 * The databases of `sale` once no shard of it is in a database that is not in `answering`: each such
 * shard moves, if possible to a database that has no shard of the sale. The same list when there is
 * nothing to move, or no database answers.
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

/** Returns the names of all databases, the best place for a shard of the sale first. */
function rankDatabases(sale: SaleLoad, others: readonly SaleLoad[], databases: readonly Database[]): readonly string[] {
  const concurrent = others.filter((other) => other.saleId !== sale.saleId && overlap(sale, other))
  const ranked = salesByDatabase(concurrent, databases)
    .map((database) => ({
      ...database,
      share: database.share + shareOf(sale, database),
      order: orderOf(sale, database),
    }))
    .toSorted((a, b) => Number(bothBig(sale, a)) - Number(bothBig(sale, b)) || a.share - b.share || a.order - b.order)
  return ranked.map(({ name }) => name)
}

/** Returns the sales of each database. */
export function salesByDatabase<S extends SaleLoad>(
  sales: readonly S[],
  databases: readonly Database[],
): DatabaseLoad<S>[] {
  return databases.map((database) => {
    const placed = sales.filter((sale) => sale.databases.includes(database.name))
    return { ...database, sales: placed, share: placed.reduce((sum, sale) => sum + shareOf(sale, database), 0) }
  })
}

/** True when the sale could use all of the database: a shard's units, sold in a second, exceed its commands. */
export function isBig(sale: SaleLoad, database: Database): boolean {
  return shareOf(sale, database) > 1
}

function bothBig(sale: SaleLoad, database: DatabaseLoad<SaleLoad>): boolean {
  return isBig(sale, database) && database.sales.some((other) => isBig(other, database))
}

/** A second cannot use more than the whole capacity, so larger sales only compare by their units. */
function shareOf(sale: SaleLoad, { commandsPerSecond }: Database): number {
  return (maxUnitsPerWindow(sale) * commandsPerOrder) / sale.shards / commandsPerSecond
}

/** Returns the most units that one window sells; an unlimited stock (-1) has more than any other. */
function maxUnitsPerWindow({ stock, windows }: SaleLoad): number {
  const units = [stock, ...windows.map((window) => window.stock)]
  return units.includes(-1) ? Number.MAX_SAFE_INTEGER : Math.max(...units)
}

function overlap(a: SaleLoad, b: SaleLoad): boolean {
  return a.startsAt < lastEndOf(b) && b.startsAt < lastEndOf(a)
}

/** When its last window ends, epoch ms. */
export function lastEndOf({ endsAt, windows }: SaleLoad): number {
  return Math.max(endsAt, ...windows.map((window) => window.endsAt))
}

/** Databases with equal load follow the slot of the sale's key, so that sales spread. */
function orderOf({ saleId }: SaleLoad, { name }: Database): number {
  return slotOf(`${saleId}:0 in ${name}`)
}
