/** The spread of a crowd over the first seconds of a sale, and which one is proposed. */
import { describe, expect, it } from 'vitest'
import { fasterTimes, spreadFor } from '../../../core/gate/spread.ts'
import { describeSpread } from './spread-rules.ts'

describeSpread(300_000, Number(process.env.SEED ?? 20261122))

describe('what a fast network has of a spread (R8)', () => {
  const crowd = { shoppers: 20_000, units: 1000 }

  it.each([
    [0, Number.POSITIVE_INFINITY],
    [10, 1.4],
    [60, 1.067],
    [300, 1.013],
  ])('in %d seconds is %d times the chance of the others', (seconds, times) => {
    expect(fasterTimes(crowd, seconds)).toBeCloseTo(times, 3)
  })

  it('stays below 1.25 times in the spread that is proposed', () => {
    for (const shoppers of [101, 1000, 4350, 20_000, 400_000])
      for (const units of [1, 99, 100, 1000]) {
        const proposed = spreadFor({ shoppers, units })
        if (shoppers > units) expect(fasterTimes({ shoppers, units }, proposed)).toBeLessThanOrEqual(1.25)
        else expect(proposed).toBe(0)
      }
  })
})
