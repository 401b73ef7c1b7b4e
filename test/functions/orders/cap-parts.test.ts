import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capPartCount } from '../../../core/orders/cap-part.ts'
import { assignParts, planParts } from '../../../functions/orders/cap-part-writer.ts'

const first = () => 0
const ones = (count: number) => Array.from({ length: count }, () => 1)

const used = (...places: [number, number][]) => ({
  kind: 'use',
  places: places.map(([part, units]) => ({ part, units })),
})
const moved = (part: number, units: number, ...moves: [number, number][]) => ({
  ...{ kind: 'move', place: { part, units }, units: new Map(moves) },
})

describe('where a writer sells from when its part has too few units', () => {
  it.each([
    ['another part that has enough', [3, 60, 0, 48], 0, ones(49), used([1, 60])],
    ['several parts, when the transaction has room for them', [3, 30, 0, 48], 0, ones(49), used([3, 48], [1, 30])],
    [
      'its own part with the units of others, without that room',
      [3, 30, 0, 48],
      2,
      ones(80),
      moved(2, 80, [3, -48], [1, -30], [0, -2], [2, 80]),
    ],
    [
      'its own part with the units of others, when an order fits into no part',
      [2, 2],
      0,
      [3],
      moved(0, 3, [1, -1], [0, 1]),
    ],
    ['nowhere, when all parts together have too few', [2, 2], 0, [5], { kind: 'short' }],
  ])('is %s', (_where, units, part, quantities, plan) => {
    const maxParts = quantities.length === 1 ? 5 : 2
    expect(planParts(units, part, { quantities, maxParts }, first)).toEqual(plan)
  })

  it('always has room for the orders, takes no unit that a part does not have, and loses none', () => {
    const anyUnits = fc.array(fc.nat(120), { minLength: capPartCount, maxLength: capPartCount })
    const quantities = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 49 })
    const any = fc.record({ units: anyUnits, quantities, part: fc.nat(capPartCount - 1), seed: fc.nat() })
    fc.assert(
      fc.property(any, ({ units, quantities, part, seed }) => {
        const wanted = { quantities, maxParts: 1 + (100 - 2 * quantities.length - 1) }
        const plan = planParts(units, part, wanted, () => (seed % 1000) / 1000)
        const need = quantities.reduce((sum, quantity) => sum + quantity, 0)
        const all = units.reduce((sum, left) => sum + left, 0)
        expect(plan.kind === 'short').toBe(all < need)
        if (plan.kind === 'short') return
        if (plan.kind === 'use') {
          for (const place of plan.places) expect(place.units).toBe(units[place.part])
          expect(assignParts(wanted, plan.places)).toBeDefined()
          return
        }
        const after = units.map((left, number) => left + (plan.units.get(number) ?? 0))
        expect(Math.min(...after)).toBeGreaterThanOrEqual(0)
        expect(after.reduce((sum, left) => sum + left, 0)).toBe(all)
        expect(after[part]).toBe(need)
        expect(assignParts(wanted, [plan.place])).toBeDefined()
      }),
    )
  })
})

describe('the orders of one transaction', () => {
  it('are placed one after another where there is room for each', () => {
    const places = [
      { part: 4, units: 2 },
      { part: 9, units: 5 },
    ]
    expect(assignParts({ quantities: [1, 3, 1, 2], maxParts: 2 }, places)).toEqual({
      parts: [4, 9, 4, 9],
      after: [
        { part: 4, units: 0 },
        { part: 9, units: 0 },
      ],
    })
  })

  it('are not divided, and use no more parts than there is room for', () => {
    const places = [
      { part: 4, units: 2 },
      { part: 9, units: 2 },
    ]
    expect(assignParts({ quantities: [3], maxParts: 2 }, places)).toBeUndefined()
    expect(assignParts({ quantities: [2, 1], maxParts: 1 }, places)).toBeUndefined()
  })
})
