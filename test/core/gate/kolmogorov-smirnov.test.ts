import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { kolmogorovSmirnov, kolmogorovTail } from './kolmogorov-smirnov.ts'

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
