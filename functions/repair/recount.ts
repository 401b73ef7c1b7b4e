/**
 * What is left of a stock is a difference, stored beside the orders that it follows from. When it is
 * wrong, every later step is right by itself and the difference stays, so the orders have to be
 * counted.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { Commander, Stocks } from '../../redis/command.ts'
import { holdPages } from '../../redis/holds.ts'
import { type Recounted, recount } from '../../redis/recount.ts'
import { shardsOf } from '../../redis/shards.ts'
import { readShard, type StockFacts } from '../../redis/stock.ts'

/**
 * True when booked units differ from those of the orders, apart from units held back by a recovery.
 * False while units are sold or given back, because the answer is unknown then.
 * @throws RedisUnavailable
 */
export async function isMiscounted({ stock }: { stock: Stocks }, saleId: SaleId): Promise<boolean> {
  const shards = await shardsOf(stock, saleId)
  const found = await Promise.all(shards.map((shard) => isShardMiscounted(shard, saleId)))
  return found.includes(true)
}

async function isShardMiscounted(stock: Commander, saleId: SaleId): Promise<boolean> {
  const first = await count(stock, saleId)
  if (first === undefined || !isWrong(first)) return false
  // Units that moved during the count made it wrong, or nothing moved and both counts are the same.
  const second = await count(stock, saleId)
  return second !== undefined && second.orders === first.orders && isWrong(second)
}

/**
 * Books what the orders of a frozen shard hold. `moved`: units were given back meanwhile, so that it
 * has to be done again.
 * @throws when Redis is unavailable
 */
export async function recountHolds(stock: Commander, saleId: SaleId): Promise<Recounted> {
  const counted = await count(stock, saleId)
  if (counted === undefined) return { kind: 'unknown-sale' }
  const { units, facts } = counted
  return recount(stock, saleId, { units, total: facts.total, tag: facts.tag })
}

/** `orders` names the counted orders; `facts` is the stock before the count began. */
type Counted = { units: number; orders: string; facts: StockFacts }

const isWrong = ({ units, facts }: Counted) => units + facts.heldBack !== facts.booked

/** Undefined when Redis has no stock of the sale. */
async function count(redis: Commander, saleId: SaleId): Promise<Counted | undefined> {
  const facts = await readShard(redis, saleId)
  if (facts === undefined) return undefined
  // A walk may show an order twice.
  const held = new Map<OrderId, number>()
  for await (const page of holdPages(redis, saleId, maxOrdersPerCall)) {
    for (const { orderId, quantity } of page) held.set(orderId, quantity)
  }
  const units = [...held.values()].reduce((sum, quantity) => sum + quantity, 0)
  return { units, orders: [...held.keys()].sort().join(' '), facts }
}
