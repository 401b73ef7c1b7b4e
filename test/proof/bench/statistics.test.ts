import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kolmogorovSmirnov, kolmogorovTail, median, quantile, seededRandom } from '../../../proof/bench/statistics.ts'
import { summarise } from '../../../proof/rush/shopper.ts'

describe('quantiles', () => {
  it('are values that occurred, and rise with the fraction', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (v, f) => {
        const value = quantile(v, f) ?? Number.NaN
        expect(v).toContain(value)
        expect(value).toBeLessThanOrEqual(quantile(v, 1) ?? Number.NaN)
      }),
    )
  })

  it('of an empty list do not exist', () => {
    expect(quantile([], 0.5)).toBeUndefined()
    expect(() => median([])).toThrow(RangeError)
  })

  it('take the nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
    expect([quantile(hundred, 0.5), quantile(hundred, 0.99), quantile(hundred, 1)]).toEqual([50, 99, 100])
  })
})

describe('a seeded random source', () => {
  it('repeats its numbers, between 0 and 1', () => {
    const [a, b, other] = [seededRandom(7), seededRandom(7), seededRandom(8)]
    const rolls = Array.from({ length: 100 }, a)
    expect(Array.from({ length: 100 }, b)).toEqual(rolls)
    expect(Array.from({ length: 100 }, other)).not.toEqual(rolls)
    expect(rolls.every((roll) => roll >= 0 && roll < 1)).toBe(true)
  })
})

describe('the summary of a rush', () => {
  it('groups tries by their answer, the most frequent first', () => {
    const tries = [
      { code: 'sold-out', ms: 1, at: 1 },
      { code: 'reserved', ms: 9, at: 9 },
      { code: 'sold-out', ms: 3, at: 3 },
    ]
    expect(summarise(tries)).toEqual([
      { code: 'sold-out', count: 2, p50Ms: 1, p99Ms: 3 },
      { code: 'reserved', count: 1, p50Ms: 9, p99Ms: 9 },
    ])
  })
})

describe('the Kolmogorov-Smirnov test', () => {
  it.each([
    [1.2238, 0.1],
    [1.3581, 0.05],
    [1.6276, 0.01],
    [1.9495, 0.001],
  ])('has the critical value %d at %d, as in the tables', (lambda, p) => {
    expect(kolmogorovTail(lambda)).toBeCloseTo(p, 4)
  })

  it('measures the largest difference of two samples, with values that occur in both', () => {
    expect(kolmogorovSmirnov([1, 2, 3], [2, 3, 4]).distance).toBeCloseTo(1 / 3, 12)
    expect(kolmogorovSmirnov([1, 1, 1], [1, 1]).distance).toBe(0)
    expect(kolmogorovSmirnov([1, 2], [3, 4]).distance).toBe(1)
    expect(() => kolmogorovSmirnov([], [1])).toThrow(RangeError)
  })

  it('finds a small shift, and rejects one in a hundred pairs of one distribution', () => {
    const random = seededRandom(11)
    const draw = (count: number, shift = 0) => Array.from({ length: count }, () => random() + shift)
    expect(kolmogorovSmirnov(draw(5000), draw(5000, 0.05)).p).toBeLessThan(0.001)
    const pairs = Array.from({ length: 1000 }, () => kolmogorovSmirnov(draw(200), draw(300)).p)
    const rejected = pairs.filter((p) => p < 0.01).length
    expect(rejected).toBeGreaterThan(2)
    expect(rejected).toBeLessThan(20)
  })
})
