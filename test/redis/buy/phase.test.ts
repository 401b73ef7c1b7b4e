import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Flag, Phase } from '../../../core/sale/phase.ts'
import { phaseOf } from '../../../core/sale/sale.ts'
import { type Reservation, reserve } from '../../../redis/buy/reserve.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, everythingOf, shopperIdOf, useRedisRig } from '../support.ts'

const rig = useRedisRig()

/** The expected answers of reserve.lua to a valid purchase of one unit in each phase. */
const answers: Record<Phase, Reservation['kind']> = {
  draft: 'unknown-sale',
  scheduled: 'not-started',
  open: 'reserved',
  paused: 'paused',
  'held-back': 'unavailable',
  'sold-out': 'sold-out',
  ended: 'ended',
}

const year9999 = 253_402_300_799_999
const time = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 0, max: year9999 }),
  fc.constantFrom(9, 10, 99, 100, 999_999_999_999, 1_000_000_000_000, 99_999_999_999_999, year9999 - 1),
)
const facts = fc.record({
  flag: fc.constantFrom<Flag>('off', 'on', 'paused', 'closed'),
  startsAt: time,
  length: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: year9999 })),
  now: fc.oneof(time, fc.constantFrom('start', 'before start', 'last', 'end')),
  stock: fc.constantFrom(-1, 0, 1, 50),
  hasNext: fc.boolean(),
})

describe('reserve.lua', () => {
  it('agrees with phaseOf for every sale at every moment, even between two windows (G2, R7)', async () => {
    const seen = new Set<Phase>()
    await fc.assert(
      fc.asyncProperty(facts, async ({ flag, startsAt, length, now: moment, stock, hasNext }) => {
        const endsAt = Math.min(startsAt + length, year9999 + 1)
        const moments: Record<string, number> = {
          start: startsAt,
          'before start': Math.max(0, startsAt - 1),
          last: endsAt - 1,
          end: endsAt,
        }
        const now = typeof moment === 'number' ? moment : (moments[moment] ?? startsAt)
        const window = { startsAt, endsAt: Math.max(endsAt, startsAt + 1), stock }
        const windows = hasNext ? [window, window] : [window]
        const sale = aSale({ flag, ...window, windows })
        await warmStock(rig.redis, sale)
        const phase = phaseOf({ ...sale, warmed: true }, now, stock)
        seen.add(phase)
        const purchase = aPurchase(sale, 1, 1, { now, shopperId: shopperIdOf(1) })
        const before = await everythingOf(rig.redis, sale.saleId)
        const { kind } = await reserve(rig.redis, purchase)
        expect(kind).toBe(answers[phase])
        if (kind !== 'reserved') expect(await everythingOf(rig.redis, sale.saleId)).toEqual(before)
      }),
      { numRuns: 300 },
    )
    expect([...seen].toSorted()).toEqual(['ended', 'open', 'paused', 'scheduled', 'sold-out'])
  })

  it('agrees with phaseOf for a sale that is not warmed, unless it is over', async () => {
    const sale = aSale()
    expect(await readStock(rig.redis, sale.saleId)).toBeUndefined()
    const phase = phaseOf({ ...sale, warmed: false }, 5_000, 10)
    expect((await reserve(rig.redis, aPurchase(sale, 1))).kind).toBe(answers[phase])
  })
})
