import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Flag, phaseAt } from '../../../core/sale/phase.ts'

const sale = { warmed: true, flag: 'on' as Flag, startsAt: 1000, endsAt: 2000, hasNext: false }

describe('phaseAt', () => {
  it('is a draft until the stock is warmed', () => {
    expect(phaseAt({ ...sale, warmed: false, flag: 'off' }, 0, 0)).toBe('draft')
  })

  it('stays scheduled while the start flag is off, however late it is (G2)', () => {
    expect(phaseAt({ ...sale, flag: 'off' }, 1999, 10)).toBe('scheduled')
  })

  it('opens at startsAt to the millisecond and not before (C5)', () => {
    expect(phaseAt(sale, 999, 10)).toBe('scheduled')
    expect(phaseAt(sale, 1000, 10)).toBe('open')
  })

  it('ends at endsAt to the millisecond', () => {
    expect(phaseAt(sale, 1999, 10)).toBe('open')
    expect(phaseAt(sale, 2000, 10)).toBe('ended')
  })

  it('waits after a window that another follows, unless it is closed or paused (R7)', () => {
    const between = { ...sale, hasNext: true }
    expect(phaseAt(between, 1999, 10)).toBe('open')
    expect(phaseAt(between, 2000, 10)).toBe('scheduled')
    expect(phaseAt({ ...between, flag: 'off' }, 2000, 10)).toBe('scheduled')
    expect(phaseAt({ ...between, flag: 'paused' }, 2000, 10)).toBe('paused')
    expect(phaseAt({ ...between, flag: 'closed' }, 2000, 10)).toBe('ended')
  })

  it('is sold out at 0 left, and open again when units are returned (C8, O9)', () => {
    expect(phaseAt(sale, 1500, 0)).toBe('sold-out')
    expect(phaseAt(sale, 1500, 1)).toBe('open')
  })

  it('is not sold out while units are held back that may be for sale again (G7)', () => {
    expect(phaseAt(sale, 1500, 0, true)).toBe('held-back')
    expect(phaseAt(sale, 1500, 1, true)).toBe('open')
    expect(phaseAt(sale, 999, 0, true)).toBe('scheduled')
  })

  it('treats -1 as unlimited and never as sold out or missing (S4, S6)', () => {
    expect(phaseAt(sale, 1500, -1)).toBe('open')
  })

  it('is paused or closed before anything about stock', () => {
    expect(phaseAt({ ...sale, flag: 'paused' }, 1500, 0)).toBe('paused')
    expect(phaseAt({ ...sale, flag: 'closed' }, 1500, 10)).toBe('ended')
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
