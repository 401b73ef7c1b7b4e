/** The products of a rush: the part of a sale's definition that differs between kinds. */
import type { Wave } from '../../core/packets/packets.ts'
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
  mode?: string
  /** As in a product. */
  timesAt?: Product['timesAt']
}

/** The turns of a sale with `--mode spread` are spread over its first seconds. */
const spreadSeconds = 10

/** It is started at once, after its pages were loaded. */
const inAnHour = (now: number) => ({ startsAt: now + 3_600_000, endsAt: now + 7_200_000 })

/** Goods at ten fen (L5). A shopper may ask once for each variant, and retry. */
export function goodsOf(units: UnitsForSale): Product {
  const { variants, stock, mode, timesAt } = units
  const pictures = [{ src: '/assets/pictures/mug.svg', alt: 'The product' }]
  const goods = {
    ...{ kind: 'goods', pictures, price: 10, ...unitsOf(units) },
    ...(mode === 'spread' && { spreadSeconds, timesAt: inAnHour }),
    ...(timesAt && { timesAt }),
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
