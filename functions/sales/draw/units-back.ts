/**
 * The units that a standby list has to offer: those that buyers of the sale gave back, and those that the shop added. These are
 * what table and stock both have left, without the units that the list has free already and one for each open offer without an
 * order. An offer whose order the stock has accepted and the table does not have yet keeps its unit in the table alone, so other
 * units can be offered meanwhile.
 */
import type { DrawEvent } from '../../../core/draw/signed-line.ts'
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { isBeingChecked, ordersOfShopper, readStock } from '../../../redis/stock/stock.ts'
import type { Shop } from '../../lib/shop/shop.ts'
import { type HeldOffer, ordersAmong } from '../../table/draw/offers.ts'
import { saleTotals } from '../../table/sale/sale-orders.ts'
import type { DecidedDraw } from './keep-draw.ts'

type UnitsPorts = Pick<Shop, 'table' | 'stock'>

/** What became of the orders of shoppers with an open offer. */
export type OrdersOfOffers = Awaited<ReturnType<typeof ordersAmong>>

/**
 * `events` add what came back; `isSettled` is false where more may follow at once: an order changed meanwhile, or the stock
 * has not got a unit back that the table has. `open` are all offers that have not ended, and `orders` theirs, which are read
 * again after the units: where none of them has changed, no unit counts twice.
 * @throws when a part is unavailable
 */
export async function unitsBack(
  ports: UnitsPorts,
  saleId: SaleId,
  { rules, allocation }: DecidedDraw,
  { open, orders }: { open: readonly HeldOffer[]; orders: OrdersOfOffers },
): Promise<{ events: DrawEvent[]; isSettled: boolean }> {
  const found = await unitsLeft(ports, saleId)
  // An order that the stock has accepted and the table does not have yet keeps its unit in the table alone: also one that
  // follows an ended order, by a shopper who was still on the list.
  const isApart = rules.variants.some(({ id }) => found(id).inTable > found(id).inStock)
  const unwritten = isApart ? open.filter(({ shopperId }) => orders.get(shopperId) !== 'standing') : []
  const accepted = await acceptedOf(ports, saleId, unwritten)
  // The stock after the orders: a unit that was sold in between is not counted as free.
  const left = accepted.size > 0 ? await unitsLeft(ports, saleId) : found
  const shoppers = open.map(({ shopperId }) => shopperId)
  const after = await ordersAmong(ports.table, saleId, shoppers)
  if (shoppers.some((shopperId) => orders.get(shopperId) !== after.get(shopperId)))
    return { events: [], isSettled: false }
  const events: DrawEvent[] = []
  let isSettled = true
  for (const [place, { id }] of rules.variants.entries()) {
    const { inTable, inStock } = left(id)
    const kept = open.filter((one) => one.variant === id && orders.get(one.shopperId) !== 'standing')
    const keptInStock = kept.filter(({ shopperId }) => !accepted.has(shopperId))
    const free = allocation.free(place + 1)
    const fromTable = inTable - kept.length - free
    const units = Math.min(fromTable, inStock - keptInStock.length - free)
    if (fromTable > Math.max(0, units)) isSettled = false
    if (units > 0) events.push({ variant: place + 1, units })
  }
  return { events, isSettled }
}

/** Offers whose orders are read from the stock at once. */
const atOnce = 50

/** The shoppers of these offers to whom the stock has given a unit. */
async function acceptedOf(
  { stock }: UnitsPorts,
  saleId: SaleId,
  offers: readonly HeldOffer[],
): Promise<ReadonlySet<ShopperId>> {
  const accepted = new Set<ShopperId>()
  for (const some of slicesOf(offers, atOnce)) {
    const all = some.map(async ({ shopperId }) => {
      const orders = await ordersOfShopper(stock, saleId, shopperId)
      if (orders.some(({ quantity }) => quantity > 0)) accepted.add(shopperId)
    })
    await Promise.all(all)
  }
  return accepted
}

/** The units left of a variant, or of a sale without any. A stock that is checked or was lost has none for sale. */
async function unitsLeft({ table, stock }: UnitsPorts, saleId: SaleId) {
  const totals = await saleTotals(table, saleId)
  const found = await readStock(stock, saleId)
  const there = found === undefined || found.frozen || isBeingChecked(found) ? undefined : found
  return (variant: string | undefined) => ({
    inTable: (variant === undefined ? totals?.remaining : totals?.variants?.[variant]?.left) ?? 0,
    inStock: (variant === undefined ? there?.available : there?.variants?.[variant]?.left) ?? 0,
  })
}
