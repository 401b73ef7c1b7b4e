/** The products of a rush: the part of a sale's definition that differs between kinds. */
import type { Wave } from '../../core/packets/packets.ts'
import { drawnAt } from '../../options/draw/core/fields.ts'
import type { Mode } from './options.ts'
import { variantsOf } from './variants.ts'

/** The currency of all amounts. */
export const currency = 'CNY'

export type Product = {
  kind: string
  pictures: { src: string; alt: string }[]
  throttle?: object
  /** Its times and what goes with them, from when it is created, epoch ms; absent: an hour from then on. */
  timesAt?: (now: number) => object
} & Record<string, unknown>

export type UnitsForSale = {
  stock: number
  quantity: number
  limitPerShopper: number
  shards?: number
  variants?: number
  admitPerSecond?: number
  mode?: Mode
  shoppers?: number
}

/** The turns of a sale with `--mode spread` are spread over its first seconds. */
const spreadSeconds = 10

/** It is started at once, after its pages were loaded. */
const inAnHour = (now: number) => ({ startsAt: now + 3_600_000, endsAt: now + 7_200_000 })

/**
 * Entries are open at least so long, and longer for each shopper: the local system writes about a hundred in a second, and
 * on a busy machine twenty, once the pages were loaded and the rules published.
 */
const [leastEntryMs, entryMs] = [60_000, 20]

/** The shortest time from the close to the number that a sale may have. */
const commitSeconds = 60

/** The times of a sale that draws among so many `shoppers`. */
const drawTimes = (shoppers: number) => (now: number) => {
  const closesAt = now + leastEntryMs + shoppers * entryMs
  const startsAt = drawnAt({ closesAt, commitSeconds })
  return { startsAt, endsAt: startsAt + 3_600_000, draw: { opensAt: now, closesAt, commitSeconds, claimSeconds: 3600 } }
}

/** Goods at ten fen (L5). A shopper may ask once for each variant, and retry. */
export function goodsOf(units: UnitsForSale): Product {
  const { variants, stock, mode, shoppers = 0 } = units
  const pictures = [{ src: '/assets/pictures/mug.svg', alt: 'The product' }]
  const goods = {
    ...{ kind: 'goods', pictures, price: 10, ...unitsOf(units) },
    ...(mode === 'spread' && { spreadSeconds, timesAt: inAnHour }),
    ...(mode === 'draw' && { timesAt: drawTimes(shoppers) }),
  }
  if (variants === undefined) return goods
  const perShopper = { limit: 10 * variants, windowSeconds: 60 }
  return { ...goods, variants: variantsOf(variants, stock), throttle: { perShopper } }
}

export function couponsOf(units: UnitsForSale): Product {
  return { kind: 'coupon', pictures: [{ src: '/assets/pictures/ticket.svg', alt: 'The product' }], ...unitsOf(units) }
}

export function packetsOf(packets: Wave): Product {
  return { kind: 'red-packet', pictures: [{ src: '/assets/pictures/packet.svg', alt: 'The product' }], packets }
}

function unitsOf({ stock, quantity, limitPerShopper, shards = 1, admitPerSecond }: UnitsForSale) {
  return { stock, limitPerShopper, maxPerOrder: quantity, shards, ...(admitPerSecond && { admitPerSecond }) }
}
