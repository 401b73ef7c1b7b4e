/** Which item a run of every minute begins with: each minute with another, so that none is always last. */

/** The number of the minute of `at`, epoch ms. */
export const minuteOf = (at: number): number => Math.floor(at / 60_000)

/** `items` from the one at `turn` on, and then those before it; `turn` may be larger than their number. */
export function rotated<T>(items: readonly T[], turn: number): T[] {
  const first = items.length === 0 ? 0 : turn % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}
