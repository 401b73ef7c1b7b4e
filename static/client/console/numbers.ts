/** The live numbers as the tiles show them: null is what nobody can tell right now, and never 0. */
import type { Live } from './read.ts'

export const tileNames = [
  'remaining',
  'booked',
  'admissions',
  'out',
  'sold',
  'orders',
  'drift',
  'outbox',
  'queue',
  'inFlight',
  'deadLetters',
] as const

type Tiles = Record<(typeof tileNames)[number], number | null>

/** `remaining` and `admissions` are -1 for an unlimited stock. Before the stock is on the shelf, all of it is still to come. */
export function tilesOf(live: Live): Tiles {
  const { sale, stock, admissions, queue, sold, orders, drift, outbox, deadLetters } = live
  const before = sale.warmed ? null : { available: sale.stock, booked: 0 }
  const { available: remaining, booked } = stock ?? before ?? { available: null, booked: null }
  return {
    remaining,
    booked,
    admissions: admissions?.remaining ?? null,
    out: admissions?.out ?? null,
    sold,
    orders,
    drift,
    outbox,
    queue: queue?.visible ?? null,
    inFlight: queue?.inFlight ?? null,
    deadLetters,
  }
}
