import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Flag, phaseAt } from '../../../core/sale/phase.ts'
import { hasEnded } from '../../../core/sale/sale.ts'
import { aSale } from '../../redis/support.ts'

const sale = { warmed: true, flag: 'on' as Flag, startsAt: 1000, endsAt: 2000, hasNext: false }

describe('phaseAt', () => {
  const between = { ...sale, hasNext: true }
  it.each<[string, ReturnType<typeof phaseAt>, Parameters<typeof phaseAt>]>([
    ['a draft until the stock is warmed', 'draft', [{ ...sale, warmed: false, flag: 'off' }, 0, 0]],
    [
      'scheduled while its start flag is off, however late it is (G2)',
      'scheduled',
      [{ ...sale, flag: 'off' }, 1999, 10],
    ],
    ['scheduled to the last millisecond before its start (C5)', 'scheduled', [sale, 999, 10]],
    ['open from the millisecond of its start (C5)', 'open', [sale, 1000, 10]],
    ['open to the last millisecond', 'open', [sale, 1999, 10]],
    ['ended from the millisecond of its end', 'ended', [sale, 2000, 10]],
    ['open to the last millisecond of a window that another follows (R7)', 'open', [between, 1999, 10]],
    ['scheduled after a window that another follows (R7)', 'scheduled', [between, 2000, 10]],
    ['scheduled then with its start flag off (R7)', 'scheduled', [{ ...between, flag: 'off' }, 2000, 10]],
    ['paused then when it is paused (R7)', 'paused', [{ ...between, flag: 'paused' }, 2000, 10]],
    ['ended then when it is closed (R7)', 'ended', [{ ...between, flag: 'closed' }, 2000, 10]],
    ['sold out at 0 left (C8)', 'sold-out', [sale, 1500, 0]],
    ['open again when a unit is returned (O9)', 'open', [sale, 1500, 1]],
    ['not sold out while units are held back (G7)', 'held-back', [sale, 1500, 0, true]],
    ['open when one of several units is held back (G7)', 'open', [sale, 1500, 1, true]],
    ['scheduled before its start, also with all units held back (G7)', 'scheduled', [sale, 999, 0, true]],
    ['open with -1, which is unlimited, and neither sold out nor missing (S4, S6)', 'open', [sale, 1500, -1]],
    ['paused with any stock', 'paused', [{ ...sale, flag: 'paused' }, 1500, 0]],
    ['ended with any stock when it is closed', 'ended', [{ ...sale, flag: 'closed' }, 1500, 10]],
  ])('is %s', (_, phase, facts) => {
    expect(phaseAt(...facts)).toBe(phase)
  })

  it('opens only with the flag on, inside the window, with units and a warmed stock (G1, G2, G3)', () => {
    const facts = fc.record({
      warmed: fc.boolean(),
      flag: fc.constantFrom<Flag>('off', 'on', 'paused', 'closed'),
      startsAt: fc.nat(100),
      endsAt: fc.nat(200),
      hasNext: fc.boolean(),
    })
    fc.assert(
      fc.property(facts, fc.nat(250), fc.integer({ min: -1, max: 3 }), (f, now, available) => {
        const allowed = f.warmed && f.flag === 'on' && now >= f.startsAt && now < f.endsAt && available !== 0
        expect(phaseAt(f, now, available) === 'open').toBe(allowed)
      }),
    )
  })
})

it('a sale has ended after its last window or when it is closed, with any stock and even as a draft (R7)', () => {
  const windows = [
    { startsAt: 1000, endsAt: 2000, stock: 5 },
    { startsAt: 3000, endsAt: 4000, stock: 5 },
  ]
  const inWindows = aSale({ ...windows[0], windows })
  const last = { ...inWindows, ...windows[1], windowIndex: 1 }
  expect([1500, 2000].map((now) => hasEnded(inWindows, now))).toEqual([false, false])
  expect([3999, 4000].map((now) => hasEnded(last, now))).toEqual([false, true])
  expect(hasEnded({ ...inWindows, flag: 'closed' }, 1500)).toBe(true)
  expect(hasEnded({ ...last, warmed: false }, 4000)).toBe(true)
})
