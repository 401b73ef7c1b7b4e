/** From which parts of a sale's cap to sell. */
import { type CapUnits, takeUnits } from '../../core/orders/cap-part.ts'

/** A part to sell from, and the units that it is believed to have. */
export type Place = { part: number; units: number }

/** Orders of one transaction: their quantities, and how many parts it has room for. */
export type Wanted = { quantities: readonly number[]; maxParts: number }

/**
 * `use` these parts, which have enough. `move` units to `place` first, which then has enough.
 * `short`: all parts together have too few.
 */
export type Plan =
  | { kind: 'use'; places: readonly Place[] }
  | { kind: 'move'; units: CapUnits; place: Place }
  | { kind: 'short' }

/**
 * From where to sell `wanted`. Parts that have enough cost no transaction of their own, and are
 * drawn at random, so that writers rarely meet. At the end of the stock too little is left in each,
 * and the writer collects what it needs in `part`.
 */
export function planFor(units: readonly number[], part: number, wanted: Wanted, random: () => number): Plan {
  const need = sum(wanted.quantities)
  const shuffled = units
    .map((left, number) => ({ place: { part: number, units: left }, at: random() }))
    .filter(({ place }) => place.units > 0)
    .sort((a, b) => a.at - b.at)
    .map(({ place }) => place)
  const fullest = shuffled.toSorted((a, b) => b.units - a.units)
  const offers = [
    shuffled.filter((place) => place.units >= need).slice(0, 1),
    shuffled.slice(0, wanted.maxParts),
    fullest.slice(0, wanted.maxParts),
  ]
  const places = offers.find((some) => placeOrders(wanted, some) !== undefined)
  if (places !== undefined) return { kind: 'use', places }
  const missing = need - (units[part] ?? 0)
  const taken = takeUnits(units.with(part, 0), missing)
  if (taken === undefined) return { kind: 'short' }
  return { kind: 'move', units: new Map(taken).set(part, missing), place: { part, units: need } }
}

/**
 * The places after `wanted` was sold from them, and the part of each order; undefined when there is
 * no room for all. An order takes its units from one part.
 */
export function placeOrders(
  { quantities, maxParts }: Wanted,
  places: readonly Place[],
): { parts: readonly number[]; after: readonly Place[] } | undefined {
  const after = places.slice(0, maxParts).map((place) => ({ ...place }))
  const parts: number[] = []
  for (const quantity of quantities) {
    const place = after.find(({ units }) => units >= quantity)
    if (place === undefined) return undefined
    place.units -= quantity
    parts.push(place.part)
  }
  return { parts, after }
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
