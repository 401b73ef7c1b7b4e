/** A new sale like a former one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copySale, withUnitsLeft } from '../../../core/sale/copy-sale.ts'
import { definitionOf, saleDefinition } from '../../../core/sale/sale.ts'
import { aSale } from '../../redis/support.ts'

const day = 86_400_000
const at = Date.UTC(2026, 5, 1, 9)

describe('a copy of a sale', () => {
  it('has every field of the definition, and nothing of the state', () => {
    const sale = aSale({ startsAt: at, endsAt: at + 3_600_000, archivedAt: at + day, flag: 'closed' })
    const copy = { ...copySale(sale, at - 1), saleId: 'the-next-one' }
    expect(copy).toEqual({ ...definitionOf(sale), saleId: 'the-next-one' })
    expect(saleDefinition.parse(copy)).toEqual(copy)
  })

  it('starts at the same time of day, on the first day that is still to come', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400 * day, max: 400 * day }), (past) => {
        const sale = aSale({ startsAt: at, endsAt: at + 3_600_000 })
        const now = at + past
        const { startsAt, endsAt } = copySale(sale, now)
        expect(startsAt).toBeGreaterThan(now)
        expect(endsAt - startsAt).toBe(3_600_000)
        expect(new Date(startsAt).getHours()).toBe(new Date(at).getHours())
        expect(startsAt === at || startsAt - now <= day + 3_600_000).toBe(true)
      }),
    )
  })

  it('keeps its time of day by the clocks of its own zone, not those of this machine', () => {
    for (const [timeZone, startsAt, now, expected] of [
      ['Europe/Berlin', '2026-10-20T07:00Z', '2026-10-27T00:00Z', '2026-10-27T08:00Z'],
      ['Europe/Berlin', '2026-03-20T08:00Z', '2026-03-30T00:00Z', '2026-03-30T07:00Z'],
      ['America/New_York', '2026-10-20T07:00Z', '2026-10-27T00:00Z', '2026-10-27T07:00Z'],
      // The clocks skip 2:30 on that day.
      ['Europe/Berlin', '2026-03-28T01:30Z', '2026-03-29T00:00Z', '2026-03-29T01:30Z'],
      // The second 2:30 of the day with two stays the second.
      ['Europe/Berlin', '2026-10-25T01:30Z', '2026-10-25T00:00Z', '2026-10-25T01:30Z'],
    ] as const) {
      const sale = aSale({ timeZone, startsAt: Date.parse(startsAt), endsAt: Date.parse(startsAt) + 60_000 })
      expect(new Date(copySale(sale, Date.parse(now)).startsAt).toISOString().slice(0, 16)).toBe(expected.slice(0, 16))
    }
  })

  it('begins with the first window again, and moves all windows together (R7)', () => {
    const windows = [0, 1, 2].map((i) => ({ startsAt: at + i * day, endsAt: at + i * day + 60_000, stock: 10 + i }))
    const sale = aSale({ ...windows[2], windows, windowIndex: 2 })
    const copy = copySale(sale, at + 30 * day)
    expect(copy.windows.map(({ startsAt }) => startsAt - at)).toEqual([31 * day, 32 * day, 33 * day])
    expect(copy).toMatchObject({ startsAt: at + 31 * day, endsAt: at + 31 * day + 60_000, stock: 10 })
  })

  it('has the variants with their stock as it stands, or with that of the first window (N1)', () => {
    const variants = [
      { id: 's', name: 'S', stock: 7 },
      { id: 'm', name: 'M', stock: 0 },
    ]
    const sale = aSale({ startsAt: at, endsAt: at + 1000, stock: 7, variants })
    expect(copySale(sale, at)).toMatchObject({ stock: 7, variants })
    const windows = [
      { startsAt: at, endsAt: at + 1000, stock: 5, units: { s: 2, m: 3 } },
      { startsAt: at + day, endsAt: at + day + 1000, stock: 1, units: { s: 1, m: 0 } },
    ]
    const copy = { ...copySale({ ...sale, windows, windowIndex: 1 }, at), saleId: 'the-next-one' }
    const [s, m] = variants
    expect(copy).toMatchObject({
      stock: 5,
      variants: [
        { ...s, stock: 2 },
        { ...m, stock: 3 },
      ],
    })
    expect(saleDefinition.parse(copy)).toEqual(copy)
  })

  it('moves when coupons are valid, and leaves the former sale as it is', () => {
    const coupons = { validFrom: at, validUntil: at + 30 * day }
    const sale = aSale({ kind: 'coupon', price: 0, startsAt: at, endsAt: at + 1000, coupons })
    expect(copySale(sale, at).coupons).toEqual({ validFrom: at + day, validUntil: at + 31 * day })
    expect(sale.coupons).toEqual(coupons)
  })

  it('takes packets and their total from the first wave (P1)', () => {
    const windows = [
      { startsAt: at, endsAt: at + 1000, stock: 4, totalAmount: 900 },
      { startsAt: at + day, endsAt: at + day + 1000, stock: 6, totalAmount: 700 },
    ]
    const sale = aSale({
      ...{ kind: 'red-packet', price: 0, windows, windowIndex: 1, startsAt: at + day, endsAt: at + day + 1000 },
      ...{ stock: 6, packets: { count: 6, totalAmount: 700 }, limitPerShopper: 1, maxPerOrder: 1 },
    })
    expect(copySale(sale, at)).toMatchObject({ stock: 4, packets: { count: 4, totalAmount: 900 } })
  })
})

describe('a sale whose units are offered again', () => {
  const sale = aSale({ startsAt: at, endsAt: at + 1000, stock: 10, epoch: 1 })
  const over = { sale, phase: 'ended', orders: { sold: 7, orders: 7 } } as const

  it('has exactly the units that no order owns, in one window', () => {
    const windows = [
      { startsAt: at, endsAt: at + 1000, stock: 4 },
      { startsAt: at + day, endsAt: at + day + 1000, stock: 6 },
    ]
    const left = withUnitsLeft({ ...over, sale: { ...sale, windows, windowIndex: 1 } })
    expect(left).toMatchObject({ stock: 3, windows: [] })
    const again = { ...copySale(left ?? sale, at + 1), saleId: 'again' }
    expect(saleDefinition.parse(again)).toMatchObject({ stock: 3, startsAt: at + day })
  })

  it('has those of each variant (N1)', () => {
    const variants = ['s', 'm'].map((id) => ({ id, name: id, stock: 5 }))
    const counts = { s: { total: 5, left: 0, booked: 5 }, m: { total: 5, left: 2, booked: 3 } }
    const left = withUnitsLeft({ ...over, sale: { ...sale, variants }, variants: counts })
    expect(left).toMatchObject({
      stock: 2,
      variants: [
        { id: 's', stock: 0 },
        { id: 'm', stock: 2 },
      ],
    })
  })

  it.each([
    ['it runs', { phase: 'sold-out' as const }],
    ['it never started', { sale: { ...sale, epoch: 0 } }],
    ['all is sold', { orders: { sold: 10, orders: 9 } }],
    ['its stock has no end', { sale: { ...sale, stock: -1 } }],
    ['it has red packets', { sale: { ...sale, kind: 'red-packet' as const } }],
  ])('is not offered while %s', (_, change) => {
    expect(withUnitsLeft({ ...over, ...change })).toBeUndefined()
  })
})
