/**
 * How many units the whole stock has left, over time: an answer "sold out" is checked against it
 * (S15). No single shard of a split stock knows it.
 */
import type { SaleId } from '../core/ids.ts'
import { unitsOfSale } from '../core/rights.ts'
import type { BankBook } from '../functions/sales/bank-book.ts'
import type { SplitStocks } from '../redis/command.ts'
import { shardsOf } from '../redis/shards.ts'
import { readShard, readStock, type StockFacts } from '../redis/stock.ts'

export type UnitsLeft = {
  /** Counts them; called after everything that may have changed them. */
  count: () => Promise<void>
  /**
   * Checks an answer "sold out" to a request of `shopperId` from `since` (epoch ms) for `quantity`
   * units.
   */
  checkSoldOut: (shopperId: string, quantity: number, since: number) => void
}

/** What the banker found may be answered for so long, ms, by clocks that differ. */
const longestAgoMs = 1400

export function openUnitsLeft(
  stocks: SplitStocks,
  banks: Pick<BankBook, 'find'>,
  saleId: SaleId,
  now: () => number,
  violated: (what: string) => void,
): UnitsLeft {
  const counts: { at: number; left: number }[] = []
  return {
    async count() {
      const left = await unitsLeft(stocks, banks, saleId)
      if (left !== counts.at(-1)?.left) counts.push({ at: now(), left })
    },
    checkSoldOut(shopperId, quantity, since) {
      const first = counts.findLastIndex(({ at }) => at < since - longestAgoMs)
      const least = Math.min(...counts.slice(Math.max(0, first)).map(({ left }) => left))
      if (least >= quantity) violated(`${shopperId} read "sold out" while ${least} units were left (S15)`)
    },
  }
}

/** What can be bought in the end, also units that no shard has yet; those of missing shards are not counted. */
export async function availableUnits(
  stocks: SplitStocks,
  banks: Pick<BankBook, 'find'>,
  saleId: SaleId,
): Promise<number> {
  const stock = await readStock(stocks, saleId)
  const pool = (await banks.find(saleId))?.pool ?? 0
  return stock === undefined ? pool : netUnits(stock, pool)
}

/** A shard that went back to an older state may have sold more than it has; others then have as many too many. */
export function netUnits({ total, booked, available, isSplit }: StockFacts, pool: number): number {
  return isSplit ? Math.max(0, total + pool - booked) : available
}

/** Infinity while a shard is missing or frozen, because its units are unknown then. */
async function unitsLeft(
  stocks: SplitStocks,
  banks: Pick<BankBook, 'find'>,
  saleId: SaleId,
): Promise<number> {
  const shards = await shardsOf(stocks, saleId)
  const facts = await Promise.all(shards.map((shard) => readShard(shard, saleId)))
  let [booked, total] = [0, 0]
  for (const shard of facts) {
    if (shard === undefined || shard.frozen || shard.total === -1) return Number.POSITIVE_INFINITY
    booked += shard.booked
    total += shard.total
  }
  const bank = shards.length === 1 ? undefined : await banks.find(saleId)
  return (bank === undefined ? total : unitsOfSale(bank)) - booked
}
