/** The live numbers as the tiles show them: null is what nobody can tell right now, and never 0. */
import type { Live } from './read.ts'

export const tileNames = [
  'remaining',
  'booked',
  'sold',
  'orders',
  'drift',
  'outbox',
  'queue',
  'inFlight',
  'deadLetters',
] as const

type Tiles = Record<(typeof tileNames)[number], number | null>

/** `remaining` is -1 for an unlimited stock. Before the stock is on the shelf, all of it is still to come. */
export function tilesOf({ sale, stock, sold, orders, drift, outbox, queue, deadLetters }: Live): Tiles {
  const before = sale.warmed ? null : { available: sale.stock, booked: 0 }
  const { available: remaining, booked } = stock ?? before ?? { available: null, booked: null }
  return {
    remaining,
    booked,
    sold,
    orders,
    drift,
    outbox,
    queue: queue?.visible ?? null,
    inFlight: queue?.inFlight ?? null,
    deadLetters,
  }
}
