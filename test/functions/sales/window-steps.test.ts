/** The clock's steps of a sale with several windows, as pure functions (R7). */
import { describe, expect, it } from 'vitest'
import { phaseOf, type Sale } from '../../../core/sale/sale.ts'
import { maxStock } from '../../../core/sale/settings.ts'
import { dueStep } from '../../../functions/sales/window-steps.ts'
import { aSale } from '../../redis/support.ts'

const windows = [
  { startsAt: 1_000, endsAt: 2_000, stock: 10 },
  { startsAt: 5_000, endsAt: 6_000, stock: 4 },
  { startsAt: 6_000, endsAt: 7_000, stock: 1 },
]
const sale = (changes: Partial<Sale> = {}) =>
  aSale({ ...windows[0], windows, epoch: 3, version: 7, flag: 'on', ...changes })
const token = () => 'new'
const step = (of: Sale, now: number) => dueStep(of, now, token)

const armed = { armed: true, startToken: 'token' }
const next = { windowIndex: 1, startsAt: 5_000, endsAt: 6_000, flag: 'off', startToken: null } as const
const last = { windowIndex: 2, startsAt: 6_000, endsAt: 7_000 }

describe('the step that is due', () => {
  it.each<[string, Partial<Sale>, number, 'next-window' | 'open' | undefined]>([
    ['before the end of a window', {}, 1_999, undefined],
    ['at the end of a window', {}, 2_000, 'next-window'],
    ['at the end of a sale that was never started', { flag: 'off', epoch: 0 }, 2_000, 'next-window'],
    ['at the end of a paused sale', { flag: 'paused' }, 2_000, 'next-window'],
    ['after the last window', last, 9_000, undefined],
    ['of a closed sale', { flag: 'closed' }, 9_000, undefined],
    ['of a sale that is not warmed', { warmed: false }, 9_000, undefined],
    ['of a sale without windows', { windows: [] }, 9_000, undefined],
    ['before the start of an armed sale (C6)', armed, 999, undefined],
    ['at the start of an armed sale (C6)', armed, 1_000, 'open'],
    ['at the start of a sale that is open', {}, 1_000, undefined],
    ['at the start of an armed sale that is paused', { ...armed, flag: 'paused' }, 1_000, undefined],
    ['at the start of an armed sale that is closed', { ...armed, flag: 'closed' }, 1_000, undefined],
    ['before the next window', next, 4_999, undefined],
    ['at the next window', next, 5_000, 'open'],
    ['at the next window of a paused sale', { ...next, flag: 'paused' }, 5_000, undefined],
    ['at the next window of a sale that was never started', { ...next, epoch: 0 }, 5_000, undefined],
    ['after a window that was missed', next, 6_000, 'next-window'],
  ])('%s, is the right one or none', (_, changes, now, what) => {
    expect(step(sale(changes), now)?.what).toBe(what)
  })

  it('turns to the times of the next window, its units beside those left, closed, without a token, and not armed', () => {
    const before = sale(armed)
    expect(step(before, 2_000)).toEqual({
      what: 'next-window',
      units: 4,
      sale: {
        ...before,
        ...{ windowIndex: 1, startsAt: 5_000, endsAt: 6_000, stock: 14, flag: 'off', startToken: null },
        ...{ armed: undefined, version: 8, updatedAt: 2_000 },
      },
    })
    expect(phaseOf(before, 2_000, 3)).toBe('scheduled')
    expect(phaseOf(step(before, 2_000)?.sale ?? before, 4_999, 3)).toBe('scheduled')
    expect(step(sale({ flag: 'paused' }), 2_000)?.sale, 'and a paused sale stays paused').toMatchObject({
      ...{ flag: 'paused', startToken: null },
    })
  })

  it('adds no more units than the largest stock allows', () => {
    expect(step(sale({ stock: maxStock - 1 }), 2_000)).toMatchObject({ units: 1, sale: { stock: maxStock } })
  })

  it.each([
    ['an armed sale in its epoch, with the token that it has', sale(armed), 1_000, {}],
    [
      'the next window in a new epoch, with a new token',
      sale(next),
      5_000,
      { flag: 'on', epoch: 4, startToken: 'new' },
    ],
  ])('opens %s (C6)', (_, before, now, opened) => {
    const present = { ...opened, armed: undefined, version: 8, updatedAt: now }
    expect(step(before, now)).toEqual({ what: 'open', units: 0, sale: { ...before, ...present } })
  })
})
