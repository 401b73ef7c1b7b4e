import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  admissionCap,
  admissionsLeft,
  leaseLifeMs,
  settledAfterMs,
  thousandthsOf,
} from '../../../core/gate/admission.ts'

describe('the cap of admissions (G5)', () => {
  it.each([
    [1000, 1.2, 1200],
    [10, 1.2, 12],
    [1, 1.2, 2],
    [3, 1.1, 4],
    [10, 1.1, 11],
    [1000, 1.001, 1001],
    [0, 100, 0],
    [10_000_000, 100, 1_000_000_000],
    [-1, 1.2, -1],
  ])('of %i units at %f is %i', (total, ratio, cap) => {
    expect(admissionCap(total, ratio)).toBe(cap)
  })

  it('is the ceiling that whole numbers give, for any binary form of a fraction', () => {
    const units = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(units, fc.integer({ min: 1000, max: 100_000 }), (total, thousandths) => {
        expect(thousandthsOf(thousandths / 1000)).toBe(thousandths)
        const exact = (BigInt(total) * BigInt(thousandths) + 999n) / 1000n
        expect(admissionCap(total, thousandths / 1000)).toBe(Number(exact))
      }),
    )
  })

  it.each([
    [{ total: 10, booked: 0, out: 0 }, 12],
    [{ total: 10, booked: 4, out: 3 }, 5],
    [{ total: 10, booked: 9, out: 0 }, 3],
    [{ total: 10, booked: 10, out: 0 }, 0],
    [{ total: 10, booked: 11, out: 0 }, 0],
    [{ total: 10, booked: 8, out: 9 }, 0],
    [{ total: 0, booked: 0, out: 0 }, 0],
    [{ total: -1, booked: 7, out: 0 }, -1],
  ])('leaves of %j at 1.2: %i, and nothing once every unit is booked', (counts, left) => {
    expect(admissionsLeft(counts, 1.2)).toBe(left)
  })

  it('frees an admission only when its lease is over and the function cannot run any more', () => {
    expect(settledAfterMs).toBeGreaterThanOrEqual(leaseLifeMs + 10_000 + 1000)
  })
})
