/** The simulated sale: small, so that its requests conflict often. */
import type { SaleId } from '../../core/ids.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import { type SaleDefinition, saleDefinition } from '../../core/sale/sale.ts'
import type { Variant } from '../../core/sale/variants.ts'
import type { Random } from './engine/random.ts'

/** After everything that can happen. */
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

/** The share of goods and coupons whose stock is split, and the most shards of one. */
const splitRate = 0.25
export const mostShards = 4

/**
 * How many shards a stock has; packets and unlimited units are never split. A stock that is to be split
 * has as many as one that is drawn to be.
 */
export function drawShards(random: Random, isSplit: boolean | undefined): number {
  const isDrawn = random.chance(splitRate)
  const shards = random.whole(2, mostShards)
  return (isSplit ?? isDrawn) ? shards : 1
}

/** The share of goods with variants, and the most of one sale. */
const variantRate = 0.3
/** Names of a member of every object, and of fields in Redis. */
const variantIds = ['constructor', 'booked', 'total', 'frozen', 'variants']
export const mostVariants = variantIds.length

/** More units than the shoppers of a simulated sale want of one variant: then variants sell out, and the sale does not. */
export const mostUnwanted = 15

/**
 * The ids of a sale's variants, none for a sale without. A sale that is to have variants has the same
 * ones as one that is drawn to have some.
 */
export function drawVariants(random: Random, hasVariants: boolean | undefined): readonly string[] {
  const isDrawn = random.chance(variantRate)
  const ids = variantIds.slice(0, random.whole(2, variantIds.length))
  return (hasVariants ?? isDrawn) ? ids : []
}

/**
 * The same sale with its units divided among the variants `ids`: some often have none. The last one has
 * `more` units besides. Unlimited units are not divided.
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

/** The same sale, whose shoppers pay in the checkout of the shop; nothing is paid for what costs nothing. */
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

type Units = Pick<
  SaleDefinition,
  | 'kind'
  | 'price'
  | 'limitPerShopper'
  | 'maxPerOrder'
  | 'stock'
  | 'shards'
  | 'startsAt'
  | 'endsAt'
  | 'windows'
  | 'coupons'
>

function drawUnits(random: Random, kind: 'goods' | 'coupon', shards: number, now: number): Units {
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

function drawPackets(random: Random, now: number): Units & Pick<SaleDefinition, 'packets'> {
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

/** From one minor unit per packet up to more than a shop would ever give. */
function drawWave(random: Random, most: number): { count: number; totalAmount: number } {
  const count = random.whole(1, most)
  return { count, totalAmount: count + random.pick([0, 1, random.spread(1, 5000), random.spread(1, 1e9)]) }
}

/** Two or three windows, of which the last is open until the end. */
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
