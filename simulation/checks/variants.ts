/** Redis, the cap, the orders and the page agree on the units of each variant (N1). */
import { holdsUnits, type Order } from '../../core/order.ts'
import { type Sale, stockOfVariants } from '../../core/sale.ts'
import { basketUnits, isBasketOf, type VariantUnits, variantsSoldOut } from '../../core/variants.ts'
import { readCounts } from '../../redis/all-holds.ts'
import { readGate } from '../../redis/gate.ts'
import { readStock } from '../../redis/stock.ts'
import { unitsByVariant, wordOf } from '../baskets.ts'
import type { World } from '../world.ts'
import { shownOnPage } from './shown.ts'

/** Reports where they differ, for a sale at rest; a sale without variants must have no trace of any. */
export async function checkVariants(world: World, orders: readonly Order[]): Promise<void> {
  const { violated } = world
  const sale = await world.sale()
  const standing = orders.filter(({ status }) => holdsUnits(status))
  for (const { orderId, quantity, basket } of orders) {
    const isWhole = basket === undefined || basketUnits(basket) === quantity
    if (isWhole && isBasketOf(sale.variants, basket)) continue
    violated(`${orderId} has ${quantity} units and the basket ${wordOf(basket)} (N1)`)
  }
  await checkUnits(world, sale, unitsByVariant(standing))
  await checkHeldBaskets(world, standing)
}

async function checkUnits(world: World, sale: Sale, sold: VariantUnits): Promise<void> {
  const { stocks, redis, saleId, truth, violated } = world
  const { variants = [] } = sale
  const stock = (await readStock(stocks, saleId))?.variants ?? {}
  const cap = (await truth.saleOrders.totals(saleId))?.variants ?? {}
  const shown = shownOnPage(world)?.variants ?? {}
  const gate = await readGate(redis, saleId)
  const soldOut = gate === undefined ? [] : variantsSoldOut(gate)
  const same = (what: string, is: number | undefined, should: number) => {
    if (is !== should) violated(`${what} is ${is} and should be ${should} (N1)`)
  }
  for (const [where, counters] of Object.entries({ Redis: stock, 'the cap': cap, 'the page': shown })) {
    same(`the number of variants of ${where}`, Object.keys(counters).length, variants.length)
  }
  if (variants.length > 0) same('the stock of all variants', stockOfVariants(variants), sale.stock)
  for (const { id, stock: total } of variants) {
    const units = sold[id] ?? 0
    same(`the total of ${id} in Redis`, stock[id]?.total, total)
    same(`what is left of ${id} in Redis`, stock[id]?.left, total - units)
    same(`what is left of ${id} at the cap`, cap[id]?.left, total - units)
    same(`what is sold of ${id} at the cap`, cap[id]?.sold, units)
    same(`what the page shows of ${id}`, shown[id], total - units)
    if (soldOut.includes(id)) same(`what is left of ${id}, sold out at the gate,`, total - units, 0)
  }
}

/** A hold has the basket of its order. */
async function checkHeldBaskets(
  { stocks, saleId, violated }: World,
  standing: readonly Order[],
): Promise<void> {
  const baskets = new Map(standing.map(({ orderId, basket }) => [orderId, wordOf(basket)]))
  for (const { orderId, basket } of (await readCounts(stocks, saleId))?.holds ?? []) {
    const should = baskets.get(orderId)
    if (should !== undefined && wordOf(basket) !== should) {
      violated(`${orderId} holds ${wordOf(basket)} and should hold ${should} (N1)`)
    }
  }
}
