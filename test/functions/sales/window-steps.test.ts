/** What the clock does to a sale with several windows, as pure steps (R7). */
import { describe, expect, it } from 'vitest'
import { phaseOf, type Sale } from '../../../core/sale/sale.ts'
import { maxStock } from '../../../core/sale/settings.ts'
import { dueStep, dueWork } from '../../../functions/sales/window-steps.ts'
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

describe('a window that is over', () => {
  it('moves on to the next: its times, its units beside those left, closed, and without a token', () => {
    const before = sale()
    expect(step(before, 1_999)).toBeUndefined()
    expect(step(before, 2_000)).toEqual({
      what: 'turn',
      units: 4,
      sale: {
        ...before,
        ...{ windowIndex: 1, startsAt: 5_000, endsAt: 6_000, stock: 14, flag: 'off', startToken: null },
        ...{ version: 8, updatedAt: 2_000 },
      },
    })
    const after = step(before, 2_000)?.sale ?? before
    expect(phaseOf(before, 2_000, 3)).toBe('scheduled')
    expect(phaseOf(after, 4_999, 3)).toBe('scheduled')
  })

  it('moves on for a sale that was never started as well, and a paused sale stays paused', () => {
    expect(step(sale({ flag: 'off', epoch: 0 }), 2_000)).toMatchObject({ what: 'turn', sale: { flag: 'off' } })
    const paused = step(sale({ flag: 'paused' }), 2_000)
    expect(paused).toMatchObject({ what: 'turn', sale: { flag: 'paused', windowIndex: 1, startToken: null } })
  })

  it('adds no more units than the largest stock allows', () => {
    expect(step(sale({ stock: maxStock - 1 }), 2_000)).toMatchObject({ units: 1, sale: { stock: maxStock } })
  })

  it('was the last one, or of a sale that is closed or not warmed: nothing is due', () => {
    expect(step(sale({ windowIndex: 2, startsAt: 6_000, endsAt: 7_000 }), 9_000)).toBeUndefined()
    expect(step(sale({ flag: 'closed' }), 9_000)).toBeUndefined()
    expect(step(sale({ warmed: false }), 9_000)).toBeUndefined()
    expect(step(sale({ windows: [] }), 9_000)).toBeUndefined()
  })
})

describe('a sale that was started before its time', () => {
  const armed = (changes: Partial<Sale> = {}) => sale({ armed: true, startToken: 'token', ...changes })

  it('is published as started at its time, in the same epoch, with the token that it has (C6)', () => {
    expect(step(armed(), 999)).toBeUndefined()
    expect(step(armed(), 1_000)).toEqual({
      what: 'open',
      units: 0,
      sale: { ...armed(), saleId: expect.anything(), armed: undefined, version: 8, updatedAt: 1_000 },
    })
    expect(step(sale(), 1_000)).toBeUndefined()
  })

  it('is not while it is paused or closed; its next window is not armed', () => {
    expect(dueWork(armed({ flag: 'paused' }), 1_000)).toBeUndefined()
    expect(dueWork(armed({ flag: 'closed' }), 1_000)).toBeUndefined()
    expect(step(armed(), 2_000)?.sale.armed).toBeUndefined()
  })
})

describe('the next window', () => {
  const next = (changes: Partial<Sale> = {}) =>
    sale({ windowIndex: 1, startsAt: 5_000, endsAt: 6_000, flag: 'off', startToken: null, ...changes })

  it('opens at its time under a new epoch, with an unpredictable token (C6)', () => {
    expect(step(next(), 4_999)).toBeUndefined()
    expect(step(next(), 5_000)).toEqual({
      what: 'open',
      units: 0,
      sale: {
        ...next(),
        saleId: expect.anything(),
        flag: 'on',
        epoch: 4,
        startToken: 'new',
        version: 8,
        updatedAt: 5_000,
      },
    })
  })

  it('does not open by itself while the sale is paused, or was never started', () => {
    expect(dueWork(next({ flag: 'paused' }), 5_000)).toBeUndefined()
    expect(dueWork(next({ epoch: 0 }), 5_000)).toBeUndefined()
  })

  it('that was missed is skipped, not opened', () => {
    expect(dueWork(next(), 6_000)).toBe('turn')
  })
})
