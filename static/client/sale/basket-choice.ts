/** Which units of which variants a shopper may choose, and what is left of a choice (N1). */
import { type Basket, basketUnits, maxBasketLines } from '../../../core/sale/variants.ts'

/** Units by variant. A variant without a number has enough, as far as the page knows. */
export type LeftByVariant = Readonly<Record<string, number>>

/** The units left by a refusal, the last proof of them; `at` is epoch ms on the shop's clock. */
export type Proved = { left: LeftByVariant; at: number }

/** The units left by the pointer, and when they were read, epoch ms on the publisher's clock. */
type Published = { variants?: LeftByVariant; at: number }

/**
 * Units may return without another publication that the page sees, so a refusal is believed for this
 * long.
 */
const believedMs = 60_000

/** What is left, from the pointer and from a refusal that is newer. */
export function leftNow(pointer: Published | undefined, proved: Proved | undefined, now: number): LeftByVariant {
  const published = pointer?.variants ?? {}
  if (proved === undefined || now >= proved.at + believedMs) return published
  if (pointer !== undefined && pointer.at > proved.at) return published
  const least = Object.entries(proved.left).map(([id, left]) => [id, Math.min(left, published[id] ?? left)])
  return { ...published, ...Object.fromEntries(least) }
}

/** A variant that a refusal names has fewer units than were asked for. */
export function provedBy(wanted: Basket, names: readonly string[]): LeftByVariant {
  const lines = Object.entries(wanted).filter(([id]) => names.includes(id))
  return Object.fromEntries(lines.map(([id, units]) => [id, units - 1]))
}

/** The part of `basket` that is left. */
export function buyable(basket: Basket, left: LeftByVariant): Basket {
  const lines = Object.entries(basket).map(([id, units]) => [id, Math.min(units, left[id] ?? units)] as const)
  return Object.fromEntries(lines.filter(([, units]) => units > 0))
}

/** How many units of `id` may be chosen beside the rest of `basket`, in an order of `most` units. */
export function roomFor(id: string, basket: Basket, left: LeftByVariant, most: number): number {
  const { [id]: _, ...others } = basket
  if (Object.keys(others).length >= maxBasketLines) return 0
  return Math.min(left[id] ?? most, most - basketUnits(others))
}

/** `basket` with `units` of `id`; 0 removes it. */
export function withUnits(basket: Basket, id: string, units: number): Basket {
  const { [id]: _, ...others } = basket
  return units === 0 ? others : { ...others, [id]: units }
}

/** Any text that a shopper typed as a quantity from `min` to `max`. */
export function boundedQuantity(text: string, min: number, max: number): number {
  const n = Number.parseInt(text, 10)
  return Number.isNaN(n) ? min : Math.min(max, Math.max(min, n))
}
