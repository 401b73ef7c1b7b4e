/** What the sales that a crowd runs for hand out: the part of their definitions in which the kinds of sale differ. */
import type { Wave } from '../../core/packets.ts'

/** All amounts of these sales are in it. */
export const currency = 'CNY'

export type Wares = { kind: string; image: string } & Record<string, unknown>

export type Shelf = { stock: number; quantity: number; limitPerShopper: number }

/** Goods at ten fen (L5). */
export function goodsOf(shelf: Shelf): Wares {
  return { kind: 'goods', image: '/assets/pictures/mug.svg', price: 10, ...unitsOf(shelf) }
}

export function couponsOf(shelf: Shelf): Wares {
  return { kind: 'coupon', image: '/assets/pictures/ticket.svg', ...unitsOf(shelf) }
}

export function packetsOf(packets: Wave): Wares {
  return { kind: 'red-packet', image: '/assets/pictures/packet.svg', packets }
}

function unitsOf({ stock, quantity, limitPerShopper }: Shelf) {
  return { stock, limitPerShopper, maxPerOrder: quantity }
}
