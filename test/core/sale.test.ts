import { describe, expect, it } from 'vitest'
import { hasEnded, phaseOf, saleDefinition } from '../../core/sale.ts'
import { nextWindow } from '../../core/windows.ts'
import { aPhone, aSale } from '../redis/support.ts'

const windows = [
  { startsAt: 1000, endsAt: 2000, stock: 5 },
  { startsAt: 3000, endsAt: 4000, stock: 5 },
]

describe('the next window of a sale (R7)', () => {
  it('is the one after the current one, and none after the last', () => {
    expect(nextWindow({ windows, windowIndex: 0 })).toEqual(windows[1])
    expect(nextWindow({ windows, windowIndex: 1 })).toBeUndefined()
    expect(nextWindow({ windows: [], windowIndex: 0 })).toBeUndefined()
  })

  it('keeps a sale from having ended', () => {
    const sale = aSale({ ...windows[0], windows })
    expect([1500, 2000, 2999].map((now) => phaseOf(sale, now, 5))).toEqual(['open', 'scheduled', 'scheduled'])
    const last = { ...sale, ...windows[1], windowIndex: 1 }
    expect([2999, 3000, 4000].map((now) => phaseOf(last, now, 5))).toEqual(['scheduled', 'open', 'ended'])
  })
})

describe('a sale', () => {
  const sale = aSale({ ...windows[0], windows })
  const last = { ...sale, ...windows[1], windowIndex: 1 }

  it('has ended after its last window or when it is closed, with any stock and even as a draft', () => {
    expect([1500, 2000].map((now) => hasEnded(sale, now))).toEqual([false, false])
    expect([3999, 4000].map((now) => hasEnded(last, now))).toEqual([false, true])
    expect(hasEnded({ ...sale, flag: 'closed' }, 1500)).toBe(true)
    expect(hasEnded({ ...last, warmed: false }, 4000)).toBe(true)
  })
})

describe('the definition of a sale with variants (N1)', () => {
  const variants = [
    { id: 's', name: 'Small', stock: 4 },
    { id: 'm', name: 'Black, M', stock: 6 },
  ]
  const base = { ...aPhone, saleId: 'phone', startsAt: 1000, endsAt: 2000, variants, stock: 10 }
  const window = { startsAt: 3000, endsAt: 4000, stock: 3, units: { s: 1, m: 2 } }

  it.each([
    ['', {}],
    ['', { windows: [window] }],
    ['shards', { shards: 2 }],
    ['stock', { stock: 9 }],
    ['variants', { variants: variants.slice(0, 1), stock: 4 }],
    ['variants', { kind: 'coupon', price: 0 }],
    ['windows', { windows: [{ ...window, units: undefined }] }],
    ['windows', { windows: [{ ...window, stock: 4 }] }],
    ['windows', { windows: [{ ...window, units: { s: 3 } }] }],
    ['windows', { windows: [{ ...window, units: { s: 1, l: 2 } }] }],
    ['windows', { windows: [window], variants: undefined }],
  ])('is refused by its field "%s" for %j; no field means that it is accepted', (field, changes) => {
    const { error } = saleDefinition.safeParse({ ...base, ...changes })
    expect(error?.issues.map(({ path }) => path.join('.')) ?? []).toEqual(field === '' ? [] : [field])
  })
})

describe('the definition of red packets (P1)', () => {
  const { stock, limitPerShopper, maxPerOrder, price, ...rain } = aPhone
  const base = { ...rain, kind: 'red-packet', saleId: 'rain', startsAt: 1000, endsAt: 2000 }

  it('has as many units as packets, one for each shopper', () => {
    const { data } = saleDefinition.safeParse({ ...base, packets: { count: 5, totalAmount: 500 } })
    expect(data).toMatchObject({ stock: 5, limitPerShopper: 1, maxPerOrder: 1, price: 0 })
  })

  it.each([null, 5, 'five', [], {}])('is refused with %j in place of its packets', (packets) => {
    const { error } = saleDefinition.safeParse({ ...base, packets })
    expect(error?.issues.map(({ path }) => path[0])).toContain('packets')
  })
})
