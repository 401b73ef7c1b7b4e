/** Statistics for all measurements. */

/** Returns the `fraction` quantile (0.5 is the median) by nearest rank; undefined for an empty list. */
function quantile(values: readonly number[], fraction: number): number | undefined {
  if (values.length === 0) return undefined
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(fraction * sorted.length) - 1))]
}

/** Returns the median: one slow round on a busy machine does not change it. @throws for an empty list */
export function median(values: readonly number[]): number {
  const middle = quantile(values, 0.5)
  if (middle === undefined) throw new RangeError('there is no median of nothing')
  return middle
}

export type Percentiles = { p50Ms: number; p99Ms: number }

/** Returns the median and the 99th percentile, to a tenth of a millisecond; zeros for an empty list. */
export function percentiles(values: readonly number[]): Percentiles {
  const round = (ms: number) => Math.round(ms * 10) / 10
  return { p50Ms: round(quantile(values, 0.5) ?? 0), p99Ms: round(quantile(values, 0.99) ?? 0) }
}

/** Returns the percentiles, or undefined for an empty list. */
export function percentilesIfAny(values: readonly number[]): Percentiles | undefined {
  return values.length === 0 ? undefined : percentiles(values)
}

/** Formats a whole number: `1,000`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** Returns a generator of random numbers in [0, 1) from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
