/**
 * The smallest of `sorted` that at least `share` of them do not exceed (nearest rank); null of no values.
 * The median of two is the smaller one.
 */
export function quantileOf(sorted: readonly number[] | Float64Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
