import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  admissionCap,
  admissionExpiryMs,
  admissionsLeft,
  leaseLifeMs,
  thousandthsOf,
} from '../../../core/gate/admission.ts'
import { admitPerSecondOf, minRate, nextRate, slowReadMs } from '../../../core/gate/admission-rate.ts'

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
    expect(admissionExpiryMs).toBeGreaterThanOrEqual(leaseLifeMs + 10_000 + 1000)
  })
})

const most = fc.integer({ min: 1, max: 1_000_000 })
/** The time of a read in ms, undefined for none that was answered. */
const wait = fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined })
const isPressed = (waitMs: number | undefined) => waitMs === undefined || waitMs > slowReadMs

/** The rates that follow `rate` with these waits. */
function play(rate: number, limit: number, waits: readonly (number | undefined)[]): number[] {
  const rates: number[] = []
  for (const waitMs of waits) rates.push(nextRate(rates.at(-1) ?? rate, limit, waitMs))
  return rates
}

it('the setting of the rate is the sale’s, or 2,000 for each database of the stock (R4)', () => {
  expect(admitPerSecondOf({ shards: 1 })).toBe(2000)
  expect(admitPerSecondOf({ shards: 12 })).toBe(24_000)
  expect(admitPerSecondOf({ shards: 12, admitPerSecond: 3 })).toBe(3)
})

describe('the rate of admissions (R8, N7)', () => {
  it('is a whole number, never above the setting and never below what still sells', () => {
    fc.assert(
      fc.property(most, fc.integer({ min: 1, max: 1_000_000 }), fc.array(wait), (limit, start, waits) => {
        for (const rate of play(start, limit, waits)) {
          expect(Number.isSafeInteger(rate)).toBe(true)
          expect(rate).toBeLessThanOrEqual(limit)
          expect(rate).toBeGreaterThanOrEqual(Math.min(minRate(limit), start))
          expect(rate).toBeGreaterThanOrEqual(1)
        }
      }),
    )
  })

  it('falls at least by half in a second of pressure, until it is at its least after seven', () => {
    fc.assert(
      fc.property(most, fc.array(wait.filter(isPressed), { minLength: 7, maxLength: 20 }), (limit, waits) => {
        const rates = play(limit, limit, waits)
        for (const [at, rate] of rates.entries()) {
          expect(rate).toBeLessThanOrEqual(Math.max(minRate(limit), (rates[at - 1] ?? limit) / 2))
        }
        expect(rates.at(-1)).toBe(minRate(limit))
      }),
    )
  })

  it('falls by as much as reads take longer than they may, at once to a tenth while none is answered', () => {
    expect(nextRate(2000, 2000, 2 * slowReadMs)).toBe(1000)
    expect(nextRate(2000, 2000, 4 * slowReadMs)).toBe(500)
    expect(nextRate(2000, 2000, undefined)).toBe(200)
    expect(nextRate(2000, 2000, 60_000)).toBe(200)
  })

  it('is the setting again within twenty seconds without pressure', () => {
    fc.assert(
      fc.property(most, fc.nat({ max: slowReadMs }), (limit, waitMs) => {
        const waits = Array.from({ length: 20 }, () => waitMs)
        const rates = play(minRate(limit), limit, waits)
        expect(rates.at(-1)).toBe(limit)
        expect(rates.toSorted((a, b) => a - b)).toEqual(rates)
      }),
    )
  })

  it('is at a lower setting within a second', () => {
    expect(nextRate(2000, 300, 0)).toBe(300)
    expect(nextRate(2000, 300, undefined)).toBe(200)
  })

  /**
   * A database that takes `capacity` requests a second, the others wait. The read waits behind them;
   * purchases leave after a second.
   */
  it.each([1, 2, 5, 10, 20])('settles near what a database takes that is %i times as slow', (slower) => {
    const limit = 2000
    const capacity = 2300 / slower
    let [rate, backlog, sold] = [limit, 0, 0]
    const seconds = 60
    for (let second = 0; second < seconds; second += 1) {
      const waiting = Math.max(0, backlog + rate - capacity)
      if (second >= 10) sold += Math.min(capacity, backlog + rate)
      backlog = Math.min(waiting, capacity)
      rate = nextRate(rate, limit, (backlog / capacity) * 1000)
      if (second >= 10) expect(rate).toBeLessThanOrEqual(2 * capacity)
    }
    expect(sold / (seconds - 10)).toBeGreaterThanOrEqual(0.5 * Math.min(limit, capacity))
  })
})
