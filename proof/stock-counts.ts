/** Reads all counters and holds of a sale from Redis, to check the invariants after a load (I1, I3, I4). */
import type { SaleId, ShopperId } from '../core/ids.ts'
import { allUnits, unitsOfVariant, type VariantUnits } from '../core/sale/variants.ts'
import type { Stocks } from '../redis/command.ts'
import { type HeldOrder, recordPages } from '../redis/orders/holds.ts'
import { outboxSize } from '../redis/orders/outbox.ts'
import { readStock, type StockFacts } from '../redis/stock/stock.ts'

/** Records in one reply: some 200 kB. */
const pageSize = 2000

/**
 * `buyers` (shoppers with a record) and `outbox` are counts. `total` is -1 for unlimited stock.
 */
export type StockCounts = {
  total: number
  booked: number
  holds: Pick<HeldOrder, 'orderId' | 'quantity' | 'shopperId' | 'variant'>[]
  buyers: number
  outbox: number
  variants?: StockFacts['variants']
}

/** Adds the units that the escrow has granted to no shard (`pool`) to the counts of a split stock. */
export function withPool<Counts extends Pick<StockCounts, 'total' | 'variants'>>(
  counts: Counts,
  pool: VariantUnits = {},
): Counts {
  const rows = Object.entries(counts.variants ?? {}).map(([id, { total, left, heldBack }]) => {
    const units = unitsOfVariant(pool, id)
    return [id, { total: total + units, left: left + units, heldBack }] as const
  })
  const total = counts.total + allUnits(pool)
  return { ...counts, total, ...(counts.variants && { variants: Object.fromEntries(rows) }) }
}

/**
 * Reads the counts and holds of a sale; undefined when its stock is missing. Exact only while nothing sells.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readCounts(stocks: Stocks, saleId: SaleId): Promise<StockCounts | undefined> {
  const stock = await readStock(stocks, saleId)
  if (stock === undefined) return undefined
  // A scan may return a record twice.
  const buyers = new Map<ShopperId, StockCounts['holds']>()
  for await (const page of recordPages(stocks, saleId, pageSize)) {
    for (const { shopperId, orders } of page) {
      const held = orders.filter(({ quantity }) => quantity > 0)
      buyers.set(
        shopperId,
        held.map(({ orderId, quantity, variant }) => ({ orderId, quantity, shopperId, ...(variant && { variant }) })),
      )
    }
  }
  const outbox = await outboxSize(stocks, saleId)
  return {
    total: stock.total,
    booked: stock.booked,
    holds: [...buyers.values()].flat(),
    buyers: buyers.size,
    outbox,
    ...(stock.variants && { variants: stock.variants }),
  }
}
