/** How amounts are spread: a few numbers, and bars of equal width over all of them. */

/** Amounts in minor units. `median` is the middle one, the lower of two. */
export type Spread = { count: number; min: number; median: number; mean: number; max: number }

/**
 * Bar `i` counts the amounts from `start + i × width` up to, not including, the start of the next
 * bar.
 */
export type Histogram = { start: number; width: number; counts: readonly number[] }

const fewestBars = 8
const mostBars = 28

/**
 * The spread of `amounts` (whole numbers, at least one of them) and its bars; more amounts get more
 * bars (Rice's rule).
 */
export function spreadOf(amounts: Float64Array): { spread: Spread; histogram: Histogram } {
  let [min, max, sum] = [Number.POSITIVE_INFINITY, 0, 0]
  for (const amount of amounts) {
    if (amount < min) min = amount
    if (amount > max) max = amount
    sum += amount
  }
  const bars = Math.min(mostBars, Math.max(fewestBars, Math.ceil(2 * Math.cbrt(amounts.length))))
  const width = Math.max(1, Math.ceil((max - min + 1) / bars))
  const counts = Array.from({ length: Math.floor((max - min) / width) + 1 }, () => 0)
  const barOf = (amount: number) => Math.floor((amount - min) / width)
  for (const amount of amounts) counts[barOf(amount)] = (counts[barOf(amount)] ?? 0) + 1
  const histogram = { start: min, width, counts }
  const mean = sum / amounts.length
  return {
    spread: { count: amounts.length, min, median: medianOf(amounts, histogram), mean, max },
    histogram,
  }
}

/**
 * Only the bar that holds the middle is sorted: to sort a million amounts takes longer than to
 * split them.
 */
function medianOf(amounts: Float64Array, { start, width, counts }: Histogram): number {
  const middle = Math.floor((amounts.length - 1) / 2)
  let [bar, before] = [0, 0]
  while (before + (counts[bar] ?? 0) <= middle) {
    before += counts[bar] ?? 0
    bar += 1
  }
  const from = start + bar * width
  return amounts.filter((amount) => amount >= from && amount < from + width).sort()[middle - before] ?? start
}
