/** Reads the escrow and the shards of a split stock at about the same time. */
import type { SaleId } from '../../core/ids.ts'
import { allUnits, type VariantUnits } from '../../core/sale/variants.ts'
import { areAllZero, dividedUnits, mapParts, plusParts } from '../../core/stock/divided-units.ts'
import { type Escrow, isRecall, unitsOfSale } from '../../core/stock/escrow.ts'
import type { ShardReading } from '../../core/stock/transfer-plan.ts'
import { readShards, type StockFacts, sumOfShards } from '../../redis/stock/stock.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { findEscrow } from '../table/stock/escrows.ts'

/**
 * The escrow of a split stock, and then all shards, read one after another. The facts of a shard are undefined when it has no
 * stock, and an error when its database does not answer.
 */
export type SplitStock = {
  escrow: Escrow
  readings: readonly ShardReading[]
  facts: readonly (StockFacts | Error | undefined)[]
}

/** `total` are all units, `available` those that are not booked. An unreadable shard has none available. */
export type SplitUnits = { total: number; available: number }

/** Units of each variant; `left` is negative when more are booked than exist. */
export type SplitParts = { total: VariantUnits; left: VariantUnits }

/** Reads a split stock; undefined for a sale without an escrow. @throws when the table is unavailable */
export async function readSplitStock(
  { stock, table }: Pick<ShopContext, 'stock' | 'table'>,
  saleId: SaleId,
): Promise<SplitStock | undefined> {
  const escrow = await findEscrow(table, saleId)
  if (escrow === undefined) return undefined
  const facts = await readShards(stock, saleId)
  return { escrow, facts, readings: facts.map((shard, at) => readingOf(escrow, at, shard)) }
}

/** Returns the units of the pool and of all readable shards. Units that one shard oversold are subtracted from the others. */
export function unitsIn(split: SplitStock): SplitUnits {
  const { total, left } = partsIn(split)
  return { total: allUnits(total), available: allUnits(mapParts(left, (units) => Math.max(0, units))) }
}

/** Returns these units by variant. */
export function partsIn({ escrow, readings }: SplitStock): SplitParts {
  const left = readings.reduce((sum, reading) => plusParts(sum, reading?.left ?? {}), escrow.pool)
  return { total: unitsOfSale(escrow), left }
}

/** Returns the facts of the whole stock, as far as its shards answer. */
export function wholeStock({ facts }: SplitStock): StockFacts | undefined {
  return sumOfShards(facts.map((shard) => (shard instanceof Error ? undefined : shard)))
}

/** The maximum of comparisons; a comparison is repeated when the escrow has changed meanwhile. */
const maxComparisons = 5

/**
 * Returns the shards that answer, but are missing, frozen, or lack the units of the escrow: Redis has lost their data or was
 * rolled back. None while the escrow keeps changing.
 * @throws when the table is unavailable
 */
export async function lostShards(
  ports: Pick<ShopContext, 'stock' | 'table'>,
  saleId: SaleId,
): Promise<readonly number[]> {
  for (let round = 0; round < maxComparisons; round += 1) {
    const split = await readSplitStock(ports, saleId)
    if (split === undefined) return []
    const lost = [...split.escrow.shards.keys()].filter((shard) => isLost(split, shard))
    if (lost.length === 0) return []
    // A concurrent change would explain the difference.
    if ((await findEscrow(ports.table, saleId))?.revision === split.escrow.revision) return lost
  }
  return []
}

function isLost({ escrow, facts }: SplitStock, shard: number): boolean {
  const found = facts[shard]
  if (found instanceof Error) return false
  return escrow.shards[shard]?.recovery !== undefined || readingOf(escrow, shard, found) === undefined
}

/** Returns the reading of a shard; undefined when it is unreachable, lost or frozen. */
function readingOf(escrow: Escrow, shard: number, facts: StockFacts | Error | undefined): ShardReading {
  const shardEscrow = escrow.shards[shard]
  if (shardEscrow === undefined || facts === undefined || facts instanceof Error || facts.frozen) return undefined
  const { granted, transfer } = shardEscrow
  const delta = transfer?.delta ?? {}
  // `granted` includes a grant before the shard has it, and a recall until it is settled.
  const isGranting = transfer !== undefined && !isRecall(transfer)
  const before = isGranting ? plusParts(granted, delta, -1) : granted
  const { total, left } = partsOfShard(facts)
  const beyond = plusParts(total, before, -1)
  if (!areAllZero(beyond) && !areAllZero(plusParts(beyond, delta, -1))) return undefined
  return { left, stockRevision: facts.stockRevision, change: facts.change }
}

/** Returns the units of a shard by variant; held-back units are not left. */
function partsOfShard({ total, booked, variants }: StockFacts): SplitParts {
  if (variants === undefined)
    return { total: dividedUnits({ delta: total }), left: dividedUnits({ delta: total - booked }) }
  const of = (count: 'total' | 'left') =>
    Object.fromEntries(Object.entries(variants).map(([id, counters]) => [id, counters[count]]))
  return { total: of('total'), left: of('left') }
}
