/** What can be chosen on the page of a sale: a quantity within its bounds, and what is left of each variant (N1). */

/** Any text that a shopper typed as a quantity from 1 to `max`. */
export function boundedQuantity(text: string, max: number): number {
  const n = Number.parseInt(text, 10)
  return Number.isNaN(n) ? 1 : Math.min(max, Math.max(1, n))
}

/** Units by variant. A variant without a number has enough. */
export type LeftByVariant = Readonly<Record<string, number>>

/** What a refusal has proved last: that so few units of the variant were left; `at` is epoch ms on the shop's clock. */
export type Proved = { variant: string; left: number; at: number }

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
  const { variant, left } = proved
  return { ...published, [variant]: Math.min(left, published[variant] ?? left) }
}
