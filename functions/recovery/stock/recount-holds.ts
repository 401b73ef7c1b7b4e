/**
 * Recounts a stock. The units left are stored as a difference, beside the orders that they follow from. When the difference is
 * wrong, later steps keep it wrong, so the orders have to be counted.
 */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import { sumByVariant, unitsOfVariant, type VariantUnits } from '../../../core/sale/variants.ts'
import { maxOrdersPerCall } from '../../../redis/batch.ts'
import type { Commander, Stocks } from '../../../redis/command.ts'
import { type HeldOrder, holdPages } from '../../../redis/orders/holds.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { type Recounted, recount } from '../../../redis/stock/recount.ts'
import { readShard, type StockFacts } from '../../../redis/stock/stock.ts'

/**
 * True when the booked units of the sale or of a variant differ from those of its orders, apart from held-back units. False
 * while units are sold or released, because the answer is unknown then.
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
  // Units that moved during the count made it wrong; if nothing moved, both counts are equal.
  const second = await count(stock, saleId)
  return second !== undefined && second.orders === first.orders && isWrong(second)
}

/** Books the units of a frozen shard's orders. `moved`: units were released, so repeat. @throws when Redis is unavailable */
export async function recountHolds(stock: Commander, saleId: SaleId): Promise<Recounted> {
  const counted = await count(stock, saleId)
  if (counted === undefined) return { kind: 'unknown-sale' }
  const { units, ofVariants, facts } = counted
  return recount(stock, saleId, { units, variants: ofVariants, frozen: facts.freeze.id, moves: facts.freeze.moves })
}

/** `orders` are the counted orders, `ofVariants` their units of variants; `facts` the stock before the count. */
type Counted = { units: number; ofVariants: VariantUnits; orders: string; facts: StockFacts }

function isWrong({ units, ofVariants, facts }: Counted): boolean {
  if (units + facts.heldBack !== facts.booked) return true
  return Object.entries(facts.variants ?? {}).some(
    ([id, { total, left, heldBack }]) => unitsOfVariant(ofVariants, id) + heldBack !== total - left,
  )
}

/** Counts the orders in Redis; undefined without a stock of the sale. */
async function count(redis: Commander, saleId: SaleId): Promise<Counted | undefined> {
  const facts = await readShard(redis, saleId)
  if (facts === undefined) return undefined
  // A scan may return an order twice.
  const held = new Map<OrderId, Pick<HeldOrder, 'quantity' | 'variant'>>()
  for await (const page of holdPages(redis, saleId, maxOrdersPerCall)) {
    for (const { orderId, quantity, variant } of page) held.set(orderId, { quantity, ...(variant && { variant }) })
  }
  const holds = [...held.values()]
  const units = holds.reduce((sum, { quantity }) => sum + quantity, 0)
  return { units, ofVariants: sumByVariant(holds), orders: [...held.keys()].sort().join(' '), facts }
}
