/** The live numbers as the tiles show them: null is what nobody can tell right now, and never 0. */
import { wholeOf } from '../../../core/packets.ts'
import type { SaleKind } from '../../../core/sale.ts'
import type { Live } from './read.ts'

const moneyTiles = ['claimed', 'left', 'returned'] as const

const countTiles = [
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

/** A tile that counts, or one that shows an amount of money in minor units. */
export type TileName = (typeof countTiles)[number] | (typeof moneyTiles)[number]

export function isMoney(name: TileName): boolean {
  const amounts: readonly string[] = moneyTiles
  return amounts.includes(name)
}

/** The tiles of a sale in their order: packets hold money, and a claim of one is one order of one unit. */
export function tilesOfKind(kind: SaleKind): readonly TileName[] {
  return kind === 'red-packet'
    ? [...moneyTiles, ...countTiles.filter((name) => name !== 'orders')]
    : countTiles
}

/** `remaining` and `admissions` are -1 for an unlimited stock. Before the stock is on the shelf, all of it is still to come. */
export function tilesOf(live: Live): Record<TileName, number | null> {
  const { sale, stock, admissions, queue, sold, orders, drift, outbox, deadLetters, money } = live
  const before = sale.warmed ? null : { available: sale.stock, booked: 0 }
  const { available: remaining, booked } = stock ?? before ?? { available: null, booked: null }
  const unsplit = sale.warmed ? null : { claimed: 0, left: wholeOf(sale).totalAmount, returned: null }
  const { claimed, left, returned } = money ?? unsplit ?? { claimed: null, left: null, returned: null }
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
    ...{ claimed, left, returned },
  }
}
