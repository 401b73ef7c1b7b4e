/** Redis, the cap, the orders and the page agree on the units of each variant (N1). */
import { holdsUnits, type Order } from '../../core/order.ts'
import type { Sale } from '../../core/sale.ts'
import { unitsIn } from '../../core/variants.ts'
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
  const ids = new Set(sale.variants?.map(({ id }) => id))
  for (const { orderId, quantity, basket } of orders) {
    const isOfSale = basket === undefined || Object.keys(basket).every((id) => ids.has(id))
    const isWhole =
      sale.variants === undefined ? basket === undefined : basket && unitsIn(basket) === quantity
    if (!isOfSale || !isWhole)
      violated(`${orderId} has ${quantity} units and the basket ${wordOf(basket)} (N1)`)
  }
  await checkUnits(world, sale, unitsByVariant(standing))
  await checkHeldBaskets(world, standing)
}

async function checkUnits(
  world: World,
  { variants = [], stock: all }: Sale,
  sold: ReadonlyMap<string, number>,
): Promise<void> {
  const { stocks, redis, saleId, truth, violated } = world
  const stock = await readStock(stocks, saleId)
  const cap = await truth.table.totals(saleId)
  const gate = await readGate(redis, saleId)
  const shown = shownOnPage(world)
  const same = (what: string, is: unknown, should: unknown) => {
    if (is !== should) violated(`${what} is ${String(is)} and should be ${String(should)} (N1)`)
  }
  const counted = [stock?.variants, cap?.variants, shown?.variants].map(
    (one) => Object.keys(one ?? {}).length,
  )
  same(
    'the number of variants in Redis, at the cap and on the page',
    counted.join(),
    [1, 1, 1].map((n) => n * variants.length).join(),
  )
  if (variants.length > 0)
    same(
      'the stock of all variants',
      unitsIn(Object.fromEntries(variants.map(({ id, stock }) => [id, stock]))),
      all,
    )
  for (const { id, stock: total } of variants) {
    const [units, counter, part] = [sold.get(id) ?? 0, stock?.variants?.[id], cap?.variants?.[id]]
    same(`the total of ${id} in Redis`, counter?.total, total)
    same(`what is left of ${id} in Redis`, counter?.left, total - units)
    same(`what is left of ${id} at the cap`, part?.left, total - units)
    same(`what is sold of ${id} at the cap`, part?.sold, units)
    same(`what the page shows of ${id}`, shown?.variants?.[id], total - units)
    if (gate?.soldOutVariants.includes(id))
      same(`what is left of ${id}, which the gate calls sold out,`, total - units, 0)
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
