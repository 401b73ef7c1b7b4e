/** Whether two samples may be of one distribution. */

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
