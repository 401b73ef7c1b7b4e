/** Everything Redis holds about a sale's units, to check the invariants after a load (I1, I3, I4). */
import { type OrderId, parseOrderId, type SaleId, type ShopperId } from '../core/ids.ts'
import type { Redis } from './client.ts'
import { command } from './command.ts'
import { UnexpectedReply } from './errors.ts'
import { stockKeys } from './keys.ts'
import { outboxSize } from './outbox.ts'
import { integer, list, pairs, text } from './reply.ts'
import { parseHold, readStock } from './stock.ts'

/** `buyers` and `outbox` are counts. `total` is -1 for an unlimited stock. */
export type Books = {
  total: number
  booked: number
  holds: { orderId: OrderId; quantity: number; shopperId: ShopperId }[]
  buyers: number
  outbox: number
}

/**
 * Reads all of a sale's books, or undefined when no stock is on the shelf. Exact only while nothing sells.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readBooks(redis: Redis, saleId: SaleId): Promise<Books | undefined> {
  const keys = stockKeys(saleId)
  const stock = await readStock(redis, saleId)
  if (stock === undefined) return undefined
  const holds = await readAllHolds(redis, keys.holds)
  const buyers = integer(await command(redis, ['HLEN', keys.buyers]), 'buyers')
  const outbox = await outboxSize(redis, saleId)
  return { total: stock.total, booked: stock.booked, holds, buyers, outbox }
}

/** In pages, because one reply may not exceed the request size of the service; HSCAN may show a field twice. */
async function readAllHolds(redis: Redis, key: string): Promise<Books['holds']> {
  const found = new Map<string, Books['holds'][number]>()
  let cursor = '0'
  do {
    const [next, page] = list(await command(redis, ['HSCAN', key, cursor, 'COUNT', '2000']), 'holds page')
    for (const [id, stored] of pairs(page, 'holds page')) {
      const orderId = parseOrderId(id)
      if (orderId === undefined) throw new UnexpectedReply('a hold has no order id')
      const { quantity, shopperId } = parseHold(stored)
      found.set(id, { orderId, quantity, shopperId })
    }
    cursor = text(next, 'cursor')
  } while (cursor !== '0')
  return [...found.values()]
}
