/**
 * Everything Redis holds about a sale's units, to check the invariants after a load (I1, I3, I4).
 */
import type { OrderId, SaleId, ShopperId } from '../core/ids.ts'
import { type Commander, command } from './command.ts'
import { holdPages } from './holds.ts'
import { stockKeys } from './keys.ts'
import { outboxSize } from './outbox.ts'
import { integer } from './reply.ts'
import { readStock } from './stock.ts'

/** Holds in one reply: some 200 kB. */
const pageSize = 2000

/**
 * `buyers` (shoppers with a record) and `outbox` are counts. `total` is -1 for unlimited stock.
 */
export type StockCounts = {
  total: number
  booked: number
  holds: { orderId: OrderId; quantity: number; shopperId: ShopperId }[]
  buyers: number
  outbox: number
}

/**
 * Reads everything of a sale, or undefined for missing stock. Exact only while nothing sells.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readCounts(redis: Commander, saleId: SaleId): Promise<StockCounts | undefined> {
  const stock = await readStock(redis, saleId)
  if (stock === undefined) return undefined
  const holds = await readAllHolds(redis, saleId)
  const buyers = integer(await command(redis, ['HLEN', stockKeys(saleId).buyers]), 'buyers')
  const outbox = await outboxSize(redis, saleId)
  return { total: stock.total, booked: stock.booked, holds, buyers, outbox }
}

/** A scan may return a hold twice. */
async function readAllHolds(redis: Commander, saleId: SaleId): Promise<StockCounts['holds']> {
  const found = new Map<OrderId, StockCounts['holds'][number]>()
  for await (const page of holdPages(redis, saleId, pageSize)) {
    for (const { orderId, quantity, shopperId } of page) found.set(orderId, { orderId, quantity, shopperId })
  }
  return [...found.values()]
}
