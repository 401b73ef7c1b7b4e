/**
 * How many units the whole stock has left, over time: an answer "sold out" is checked against it
 * (S15). No single shard of a split stock knows it.
 */

import type { SaleId } from '../../core/ids.ts'
import { type Bank, unitsOfSale } from '../../core/stock/rights.ts'
import type { Table } from '../../functions/table/dynamodb.ts'
import { findBank } from '../../functions/table/stock/banks.ts'
import type { SplitStocks } from '../../redis/command.ts'
import { shardsOf } from '../../redis/shards.ts'
import { isBeingChecked, readShard, readStock, type StockFacts } from '../../redis/stock/stock.ts'
import type { VariantCounters } from '../../redis/stock/variant-units.ts'
import type { WantedUnits } from './baskets.ts'
import type { ReservationRecord } from './reservation-record.ts'

export type UnitsLeft = {
  /** Counts them; called after everything that may have changed them. */
  count: () => Promise<void>
  /**
   * Checks an answer "sold out" to a request of `shopperId` from `since` (epoch ms) for `wanted`; `named`
   * are the variants that it calls sold out, none when it means the sale.
   */
  checkSoldOut: (shopperId: string, wanted: WantedUnits, named: readonly string[], since: number) => void
}

/** How long what the banker found may be answered, ms, by clocks that differ. */
const longestAgoMs = 1400

export function openUnitsLeft(
  stocks: SplitStocks,
  table: Table,
  { saleId, now, reservations, stock, violated }: Watched,
): UnitsLeft {
  const counts: Count[] = []
  /** The fewest units that were left in the time for which an answer may hold. */
  const leastSince = (since: number, leftIn: (count: Count) => number) => {
    const first = counts.findLastIndex(({ at }) => at < since - longestAgoMs)
    return Math.min(...counts.slice(Math.max(0, first)).map(leftIn))
  }
  // A change of the stock reaches the sale first when it adds units, and the bank first when it takes some away.
  const checkBank = (bank: Bank) => {
    const [granted, most] = [unitsOfSale(bank), stock()]
    if (granted > most) violated(`the bank has ${granted} units of a sale of ${most} (S15)`)
  }
  // Of an order on its way nobody knows the variants, so each of them keeps units for it.
  const checkHeldBack = ({ heldBack = 0, variants }: Partial<StockFacts> = {}) => {
    if (variants === undefined) return
    const ofVariants = Object.values(variants).reduce((sum, variant) => sum + variant.heldBack, 0)
    if (ofVariants < heldBack)
      violated(`${heldBack} units are held back, and ${ofVariants} of the variants (I2, N1)`)
  }
  return {
    async count() {
      const shards = await readAllShards(stocks, saleId)
      const bank = shards.length === 1 ? undefined : await findBank(table, saleId)
      if (!reservations.hasLostData()) for (const fault of faultsOf(shards, bank)) violated(fault)
      if (bank !== undefined) checkBank(bank)
      for (const shard of shards) checkHeldBack(shard)
      const [left, byVariant] = [unitsLeft(shards, bank), unitsByVariant(shards)]
      const known = counts.at(-1)
      const isSame = known?.left === left && [...known.byVariant].join() === [...byVariant].join()
      if (!isSame) counts.push({ at: now(), left, byVariant })
    },
    checkSoldOut(shopperId, { quantity, basket = {} }, named, since) {
      if (named.length === 0) {
        const least = leastSince(since, ({ left }) => left)
        if (least >= quantity) violated(`${shopperId} read "sold out" while ${least} units were left (S15)`)
      }
      for (const id of named) {
        const least = leastSince(since, ({ byVariant }) => byVariant.get(id) ?? Number.POSITIVE_INFINITY)
        if (least < (basket[id] ?? 0)) continue
        violated(`${shopperId} read that ${id} is sold out while ${least} of it were left (N1)`)
      }
    },
  }
}

/** What is left at a time; of each variant where there are some and their stock is known. */
type Count = { at: number; left: number; byVariant: ReadonlyMap<string, number> }

type Watched = {
  saleId: SaleId
  now: () => number
  reservations: Pick<ReservationRecord, 'hasLostData'>
  /** The units of the sale in the table, 0 while it has none there. */
  stock: () => number
  violated: (what: string) => void
}

type Shards = readonly (StockFacts | undefined)[]

async function readAllShards(stocks: SplitStocks, saleId: SaleId): Promise<Shards> {
  const shards = await shardsOf(stocks, saleId)
  return Promise.all(shards.map((shard) => readShard(shard, saleId)))
}

/** As long as Redis has all data, no shard sells more than it has, and each has what the bank says. */
function faultsOf(shards: Shards, bank: Bank | undefined): string[] {
  return shards.flatMap((shard, at) => {
    // Packets are counted by watchPackets.
    if (shard === undefined || shard.frozen || shard.total === -1 || shard.packets) return []
    const { total, booked } = shard
    const { granted = total, transfer, recovery } = bank?.shards[at] ?? {}
    const delta = transfer?.delta ?? 0
    const before = granted - Math.max(0, delta)
    // A recovery ends a transfer before it freezes the shard.
    const isGranted = recovery !== undefined || total === before || total === before + delta
    return [
      ...(booked > total ? [`${booked} of ${total} units of shard ${at} are booked (I1)`] : []),
      ...(isGranted ? [] : [`shard ${at} has ${total} units and the bank says ${granted} (S15)`]),
    ]
  })
}

/** What can be bought in the end, also units that no shard has yet. */
export async function availableUnits(stocks: SplitStocks, table: Table, saleId: SaleId): Promise<number> {
  const stock = await readStock(stocks, saleId)
  return stock === undefined ? 0 : unitsWithBank(stock, await findBank(table, saleId)).available
}

/**
 * The units of a whole stock. Some of a split one are in the bank's pool or on their way, and a shard
 * that went back to an older state may have sold more than it has.
 */
export function unitsWithBank(
  { total, booked, available }: StockFacts,
  bank: Bank | undefined,
): { total: number; available: number } {
  if (bank === undefined) return { total, available }
  const all = unitsOfSale(bank)
  return { total: all, available: Math.max(0, all - booked) }
}

/**
 * Infinity while a shard is missing, frozen or holds back units that may be for sale again, because its units are
 * unknown then.
 */
function unitsLeft(shards: Shards, bank: Bank | undefined): number {
  let [booked, total] = [0, 0]
  for (const shard of shards) {
    if (shard === undefined || shard.frozen || shard.total === -1) return Number.POSITIVE_INFINITY
    if (shard.packets === undefined && isBeingChecked(shard)) return Number.POSITIVE_INFINITY
    booked += shard.booked
    total += shard.total
  }
  return (bank === undefined ? total : unitsOfSale(bank)) - booked
}

/** Of a stock that is not split; none while it is missing or frozen, and Infinity of a variant as above. */
function unitsByVariant([only]: Shards): ReadonlyMap<string, number> {
  if (only === undefined || only.frozen) return new Map()
  const { variants = {}, isSettled } = only
  const leftOf = (variant: VariantCounters) =>
    variant.heldBack > 0 && !isSettled ? Number.POSITIVE_INFINITY : variant.left
  return new Map(Object.entries(variants).map(([id, variant]) => [id, leftOf(variant)]))
}
