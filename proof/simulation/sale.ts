/** Draws the simulated sale, which is small, so that its requests conflict often. */
import type { SaleId } from '../../core/ids.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import { type SaleDefinition, saleDefinition } from '../../core/sale/sale.ts'
import type { Variant } from '../../core/sale/variants.ts'
import type { Random } from './engine/random.ts'

/** Longer than the simulation. */
export const lastsMs = 30 * 86_400_000

/** The share of each kind in percent. */
const kinds = new Map<SaleKind, number>([
  ['goods', 55],
  ['coupon', 20],
  ['red-packet', 25],
])

export function drawKind(random: Random): SaleKind {
  return random.weighted(kinds)
}

/** The share of sales of goods and coupons with a split stock, and the maximum of shards. */
const splitRate = 0.25
export const maxSimulatedShards = 4

/**
 * Draws the number of shards; packets and unlimited stocks are never split. `isSplit` overrides the drawn decision, and
 * not the drawn number.
 */
export function drawShards(random: Random, isSplit: boolean | undefined): number {
  const isDrawn = random.chance(splitRate)
  const shards = random.whole(2, maxSimulatedShards)
  return (isSplit ?? isDrawn) ? shards : 1
}

/** The share of sales of goods with variants. */
const variantRate = 0.3
/** Ids that are also names of object members and of fields in Redis. */
const variantIds = ['constructor', 'booked', 'total', 'frozen', 'variants']
export const maxSimulatedVariants = variantIds.length

/** More units of one variant than the shoppers buy: then variants sell out, and the sale does not. */
export const maxUnwanted = 15

/**
 * Draws the ids of variants; empty for a sale without. `hasVariants` overrides the drawn decision, and not the drawn
 * ids.
 */
export function drawVariants(random: Random, hasVariants: boolean | undefined): readonly string[] {
  const isDrawn = random.chance(variantRate)
  const ids = variantIds.slice(0, random.whole(2, variantIds.length))
  return (hasVariants ?? isDrawn) ? ids : []
}

/**
 * Divides the units of a sale among the variants `ids`; some may get none. The last one gets `more` additional units.
 * Unlimited stocks are not divided.
 */
export function withVariants(
  random: Random,
  sale: SaleDefinition,
  { ids, more }: { ids: readonly string[]; more: number },
): SaleDefinition {
  if (ids.length === 0 || sale.stock === -1) return sale
  const divide = (units: number) => {
    const divided = Object.fromEntries(ids.map((id, at) => [id, at === ids.length - 1 ? more : 0]))
    for (let left = units; left > 0; left -= 1) {
      const id = random.pick(ids)
      divided[id] = (divided[id] ?? 0) + 1
    }
    return divided
  }
  const windows = sale.windows.map((window) => ({ ...window, stock: window.stock + more, units: divide(window.stock) }))
  const units = windows[0]?.units ?? divide(sale.stock)
  const variants = ids.map((id): Variant => ({ id, name: id.toUpperCase(), stock: units[id] ?? 0 }))
  return saleDefinition.parse({ ...sale, stock: sale.stock + more, windows, variants })
}

/** Returns the sale with payment in the checkout of the shop, and with a price, because free orders are not paid. */
export function withCheckout(sale: SaleDefinition): SaleDefinition {
  const price = sale.price === 0 ? 1999 : sale.price
  return saleDefinition.parse({ ...sale, price, checkoutUrl: 'https://shop.example/cart' })
}

export function drawSale(
  random: Random,
  { kind, saleId, shards }: { kind: SaleKind; saleId: SaleId; shards: number },
  now: number,
): SaleDefinition {
  const common = {
    saleId,
    title: 'A lamp',
    description: 'One of a few.',
    pictures: [{ src: '/assets/lamp.svg', alt: 'The product' }],
    currency: 'EUR',
    paymentWindowSeconds: random.chance(0.1) ? random.whole(901, 2000) : random.spread(1, 120),
    paymentGraceSeconds: random.spread(1, 120) - 1,
    admissionRatio: random.pick([1, 1.2, 1.2, 2.5]),
  }
  const own = kind === 'red-packet' ? drawPackets(random, now) : drawUnits(random, kind, shards, now)
  // Every other setting has its default.
  return saleDefinition.parse({ ...common, ...own })
}

function drawUnits(random: Random, kind: 'goods' | 'coupon', shards: number, now: number) {
  const limitPerShopper = random.whole(1, 4)
  const windowTimes = random.chance(0.3) ? drawWindows(random, now) : []
  const windows = windowTimes.map((window) => ({ ...window, stock: random.whole(1, 8) }))
  const endsAt = windows[0]?.endsAt ?? now + lastsMs
  const isUnlimited = random.chance(kind === 'goods' ? 0.05 : 0.2)
  const drawn = {
    ...(kind === 'goods' ? { kind, price: random.pick([0, 1, 250, 1999, 1999, 1999]) } : { kind, price: 0 }),
    limitPerShopper,
    maxPerOrder: random.whole(1, limitPerShopper),
    stock: windows[0]?.stock ?? (isUnlimited ? -1 : random.whole(1, 12)),
    startsAt: now,
    endsAt,
    windows,
    ...(kind === 'coupon' && random.chance(0.5) ? { coupons: { validFrom: now } } : {}),
  }
  return { ...drawn, shards: drawn.stock === -1 ? 1 : shards }
}

function drawPackets(random: Random, now: number) {
  const windowTimes = random.chance(0.35) ? drawWindows(random, now) : []
  const windows = windowTimes.map((window) => {
    const { count, totalAmount } = drawWave(random, 6)
    return { ...window, stock: count, totalAmount }
  })
  const [first] = windows
  const packets = first === undefined ? drawWave(random, 12) : { count: first.stock, totalAmount: first.totalAmount }
  return {
    kind: 'red-packet',
    price: 0,
    limitPerShopper: 1,
    maxPerOrder: 1,
    stock: packets.count,
    shards: 1,
    startsAt: now,
    endsAt: first?.endsAt ?? now + lastsMs,
    windows,
    packets,
  }
}

/** Draws packets, from one minor unit each up to unrealistically large amounts. */
function drawWave(random: Random, max: number): { count: number; totalAmount: number } {
  const count = random.whole(1, max)
  return { count, totalAmount: count + random.pick([0, 1, random.spread(1, 5000), random.spread(1, 1e9)]) }
}

/** Draws two or three windows; the last is open until the end. */
function drawWindows(random: Random, now: number): { startsAt: number; endsAt: number }[] {
  const windowTimes = random.whole(2, 3)
  let startsAt = now
  return Array.from({ length: windowTimes }, (_, index) => {
    const endsAt = index === windowTimes - 1 ? now + lastsMs : startsAt + random.spread(5_000, 200_000)
    const window = { startsAt, endsAt }
    startsAt = endsAt + (random.chance(0.5) ? 0 : random.spread(1_000, 90_000))
    return window
  })
}
