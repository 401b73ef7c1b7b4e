/** Statistics for all measurements. */

/** The `fraction` quantile (0.5 is the median) by nearest rank; undefined for an empty list. */
export function quantile(values: readonly number[], fraction: number): number | undefined {
  if (values.length === 0) return undefined
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(fraction * sorted.length) - 1))]
}

/** The median of a few rounds: one slow round on a busy machine does not change it. */
export function median(values: readonly number[]): number {
  const middle = quantile(values, 0.5)
  if (middle === undefined) throw new RangeError('there is no median of nothing')
  return middle
}

export type Percentiles = { p50Ms: number; p99Ms: number }

/** The median and the 99th percentile, to a tenth of a millisecond; zeros for an empty list. */
export function percentiles(values: readonly number[]): Percentiles {
  const round = (ms: number) => Math.round(ms * 10) / 10
  return { p50Ms: round(quantile(values, 0.5) ?? 0), p99Ms: round(quantile(values, 0.99) ?? 0) }
}

/** The same, or undefined for an empty list. */
export function percentilesOfAny(values: readonly number[]): Percentiles | undefined {
  return values.length === 0 ? undefined : percentiles(values)
}

/** A whole number for people: `1,000`. */
export function spelled(count: number): string {
  return count.toLocaleString('en')
}

/** Random numbers in [0, 1) from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * How far two samples are from one distribution (two-sample Kolmogorov-Smirnov). `distance` is the
 * largest difference of their distribution functions; `p` is the probability that samples of one
 * distribution differ so much, by the asymptotic formula with Stephens' correction for small samples
 * (Press et al., Numerical Recipes, 14.3).
 */
export function kolmogorovSmirnov(one: readonly number[], other: readonly number[]): { distance: number; p: number } {
  if (one.length === 0 || other.length === 0) throw new RangeError('a sample has at least one value')
  const [a, b] = [Float64Array.from(one).sort(), Float64Array.from(other).sort()]
  let [i, j, distance] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i] ?? 0, b[j] ?? 0)
    while (i < a.length && a[i] === value) i += 1
    while (j < b.length && b[j] === value) j += 1
    distance = Math.max(distance, Math.abs(i / a.length - j / b.length))
  }
  const root = Math.sqrt((a.length * b.length) / (a.length + b.length))
  return { distance, p: kolmogorovTail((root + 0.12 + 0.11 / root) * distance) }
}

/** The probability that the Kolmogorov distribution exceeds `lambda`. */
export function kolmogorovTail(lambda: number): number {
  // The series converges too slowly below, where the probability is 1 to six digits.
  if (lambda < 0.3) return 1
  let sum = 0
  for (let k = 1; k <= 100; k += 1) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda)
  return Math.min(1, Math.max(0, sum))
}
