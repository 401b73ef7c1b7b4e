import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { median, quantile, seededRandom } from '../../../proof/bench/statistics.ts'
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

it('a seeded random source repeats its numbers, between 0 and 1', () => {
  const [a, b, other] = [seededRandom(7), seededRandom(7), seededRandom(8)]
  const rolls = Array.from({ length: 100 }, a)
  expect(Array.from({ length: 100 }, b)).toEqual(rolls)
  expect(Array.from({ length: 100 }, other)).not.toEqual(rolls)
  expect(rolls.every((roll) => roll >= 0 && roll < 1)).toBe(true)
})

it('the summary of a rush groups tries by their answer, the most frequent first', () => {
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
