/** The products of a rush: the part of a sale's definition that differs between kinds. */
import type { Wave } from '../../core/packets.ts'

/** The currency of all amounts. */
export const currency = 'CNY'

export type Product = { kind: string; pictures: { src: string; alt: string }[] } & Record<string, unknown>

export type UnitsForSale = { stock: number; quantity: number; limitPerShopper: number; shards?: number }

/** Goods at ten fen (L5). */
export function goodsOf(units: UnitsForSale): Product {
  return {
    kind: 'goods',
    pictures: [{ src: '/assets/pictures/mug.svg', alt: 'The product' }],
    price: 10,
    ...unitsOf(units),
  }
}

export function couponsOf(units: UnitsForSale): Product {
  return {
    kind: 'coupon',
    pictures: [{ src: '/assets/pictures/ticket.svg', alt: 'The product' }],
    ...unitsOf(units),
  }
}

export function packetsOf(packets: Wave, shards: number): Product {
  return {
    kind: 'red-packet',
    pictures: [{ src: '/assets/pictures/packet.svg', alt: 'The product' }],
    packets,
    shards,
  }
}

function unitsOf({ stock, quantity, limitPerShopper, shards = 1 }: UnitsForSale) {
  return { stock, limitPerShopper, maxPerOrder: quantity, shards }
}
