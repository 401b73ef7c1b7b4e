import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CapUnits,
  capPartCount,
  changeParts,
  initialParts,
  unitsPerCapPart,
} from '../../../core/orders/cap-part.ts'

const sumOf = (units: Iterable<number>) => [...units].reduce((sum, some) => sum + some, 0)
const parts = (units: CapUnits) => [...units].toSorted(([a], [b]) => a - b)

describe('the parts of a new cap', () => {
  it.each([
    [1, [1]],
    [199, [199]],
    [200, [100, 100]],
    [305, [102, 102, 101]],
  ])('divide a stock of %d evenly, with at least two full batches in each', (stock, units) => {
    expect(parts(initialParts(stock, unitsPerCapPart))).toEqual(units.map((some, part) => [part, some]))
  })

  it('are all there for an unlimited stock (S4)', () => {
    expect(initialParts(-1, unitsPerCapPart).size).toBe(capPartCount)
  })

  it('have the whole stock together', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (stock) => {
        const units = initialParts(stock, unitsPerCapPart)
        expect(sumOf(units.values())).toBe(stock)
        expect(units.size).toBeLessThanOrEqual(capPartCount)
      }),
    )
  })
})

describe('a change of the stock', () => {
  const anyUnits = fc.array(fc.nat(500), { minLength: capPartCount, maxLength: capPartCount })

  it('adds few units to the first part, and many to parts without any', () => {
    expect(parts(changeParts([0, 7, 0], 50, 100) ?? new Map())).toEqual([[0, 50]])
    expect(parts(changeParts([3, 0, 0], 301, 100) ?? new Map())).toEqual([
      [1, 151],
      [2, 150],
    ])
    expect(parts(changeParts([3, 1, 2], 300, 100) ?? new Map())).toEqual([[0, 300]])
  })

  it('takes units from the fullest parts', () => {
    expect(parts(changeParts([3, 8, 5], -10, 100) ?? new Map())).toEqual([
      [1, -8],
      [2, -2],
    ])
  })

  it('changes all parts together by exactly so much, and none below zero', () => {
    fc.assert(
      fc.property(anyUnits, fc.integer({ min: -10_000, max: 10_000 }), (units, delta) => {
        const change = changeParts(units, delta, unitsPerCapPart)
        if (change === undefined) {
          expect(sumOf(units) + delta).toBeLessThan(0)
          return
        }
        expect(sumOf(change.values())).toBe(delta)
        for (const [part, some] of change) expect((units[part] ?? 0) + some).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
