/**
 * The units that are booked are a sum, kept beside the holds it is of. Where Redis lost one of the
 * two without the other, every later step is right by itself and the difference stays, so the holds
 * have to be counted.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { Commander } from '../../redis/command.ts'
import { countHolds, holdPages } from '../../redis/holds.ts'
import { type Count, type Recounted, recount } from '../../redis/recount.ts'
import { readStock } from '../../redis/stock.ts'

/**
 * True when booked units differ from held ones, apart from units held back by a recovery. False
 * while units are sold or given back, because the answer is unknown then. @throws RedisUnavailable
 */
export async function isMiscounted({ stock }: { stock: Commander }, saleId: SaleId): Promise<boolean> {
  const tally = await count(stock, saleId)
  if (tally === undefined || tally.units + tally.heldBack === tally.booked) return false
  const holds = await countHolds(stock, saleId)
  const after = await readStock(stock, saleId)
  return holds === tally.holds && after?.booked === tally.booked
}

/**
 * Books what is held of a frozen sale. `moved`: units were given back meanwhile, so that it has to
 * be done again.
 * @throws when Redis is unavailable
 */
export async function recountHolds({ stock }: { stock: Commander }, saleId: SaleId): Promise<Recounted> {
  const tally = await count(stock, saleId)
  return tally === undefined ? { kind: 'unknown-sale' } : recount(stock, saleId, tally)
}

/** Undefined when Redis has no stock of the sale. */
async function count(redis: Commander, saleId: SaleId): Promise<(Count & { heldBack: number }) | undefined> {
  const stock = await readStock(redis, saleId)
  if (stock === undefined) return undefined
  // A walk may show a hold twice.
  const held = new Map<OrderId, number>()
  for await (const page of holdPages(redis, saleId, maxOrdersPerCall)) {
    for (const { orderId, quantity } of page) held.set(orderId, quantity)
  }
  const units = [...held.values()].reduce((sum, quantity) => sum + quantity, 0)
  return { units, holds: held.size, booked: stock.booked, heldBack: stock.heldBack }
}
