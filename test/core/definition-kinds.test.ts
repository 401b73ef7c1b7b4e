/** What a definition of each kind of sale must be: every contradiction is refused by the name of its field. */
import { describe, expect, it } from 'vitest'
import { parse } from '../../core/parse.ts'
import { saleDefinition } from '../../core/sale.ts'

const hour = 3_600_000
const common = {
  ...{ saleId: 'phone', title: 'A phone', description: 'One of ten.', currency: 'CNY' },
  pictures: [{ src: '/assets/phone.svg', alt: 'The product' }],
  ...{ startsAt: hour, endsAt: 2 * hour },
}
const orders = { limitPerShopper: 2, maxPerOrder: 2 }

const rain = (changes: object = {}) => ({
  ...common,
  ...{ kind: 'red-packet', packets: { count: 8, totalAmount: 1000 } },
  ...changes,
})
const coupon = (changes: object = {}) => ({ ...common, ...orders, kind: 'coupon', stock: 10, ...changes })

const s = { id: 's', name: 'Small', stock: 4 }
const m = { id: 'm', name: 'Medium', stock: 6 }
const sizes = (changes: object = {}) => ({
  ...{ ...common, ...orders, kind: 'goods', price: 10, variants: [s, m] },
  ...changes,
})

/** A window for each of `amounts`, on days that follow each other. */
const waves = (...amounts: [count: number, totalAmount: number | undefined][]) =>
  amounts.map(([stock, totalAmount], day) => {
    const startsAt = (1 + 24 * day) * hour
    return { startsAt, endsAt: startsAt + hour, stock, ...(totalAmount && { totalAmount }) }
  })

const ofWaves = (definition: Record<string, unknown>, windows: ReturnType<typeof waves>) => {
  const { packets, stock, startsAt, endsAt, ...rest } = definition
  return { ...rest, windows }
}

const packets = { count: 8, totalAmount: 1000 }

describe('a definition', () => {
  it.each([
    ['packets', 'red packets without any', rain({ packets: undefined })],
    ['packets.count', 'no packet', rain({ packets: { count: 0, totalAmount: 10 } })],
    ['packets.count', 'too many packets', rain({ packets: { count: 1_000_001, totalAmount: 2_000_000 } })],
    ['packets.totalAmount', 'less than a cent each', rain({ packets: { count: 11, totalAmount: 10 } })],
    ['packets.totalAmount', 'half a cent', rain({ packets: { count: 1, totalAmount: 1.5 } })],
    ['packets.totalAmount', 'more than all money', rain({ packets: { count: 1, totalAmount: 1e99 } })],
    ['packets.each', 'an amount for each', rain({ packets: { count: 1, totalAmount: 10, each: 10 } })],
    ['stock', 'red packets without a limit', rain({ stock: -1 })],
    ['price', 'red packets at a price', rain({ price: 1 })],
    ['limitPerShopper', 'two red packets each', rain({ limitPerShopper: 2 })],
    ['maxPerOrder', 'two red packets at once', rain({ maxPerOrder: 2 })],
    ['coupons', 'red packets that are valid for some time', rain({ coupons: { validUntil: 9e12 } })],
    ['windows', 'a wave without money', ofWaves(rain(), waves([8, 1000], [2, undefined]))],
    ['windows', 'a wave with too little money', ofWaves(rain(), waves([8, 1000], [51, 50]))],
    ['packets', 'coupons with packets', coupon({ packets })],
    ['windows', 'coupons with money', ofWaves(coupon(), waves([8, 50]))],
    ['price', 'coupons at a price', coupon({ price: 10 })],
    ['coupons.validUntil', 'coupons that end with the sale', coupon({ coupons: { validUntil: 2 * hour } })],
    [
      'coupons.validUntil',
      'coupons that end before they begin',
      coupon({ coupons: { validFrom: 9 * hour, validUntil: 8 * hour } }),
    ],
    ['coupons.code', 'coupons with a code', coupon({ coupons: { code: 'SPRING' } })],
    ['stock', 'variants with another sum', sizes({ stock: 9 })],
    ['variants', 'one variant', sizes({ variants: [s] })],
    ['variants', 'one id twice', sizes({ variants: [s, { ...m, id: 's' }] })],
    ['variants', 'one name twice', sizes({ variants: [s, { ...m, name: 'Small' }] })],
    ['variants.1.id', 'a name for an id', sizes({ variants: [s, { ...m, id: 'Black M' }] })],
    ['variants.1.stock', 'a variant without a limit', sizes({ variants: [s, { ...m, stock: -1 }] })],
    ['shards', 'variants over two databases', sizes({ shards: 2 })],
    ['variants', 'variants of coupons', sizes({ kind: 'coupon', price: 0 })],
  ])('is refused by its %s for %s', (field, _, definition) => {
    expect(parse(saleDefinition, definition)).toMatchObject({ ok: false, field })
  })

  it.each([
    ['red packets', rain(), { price: 0, stock: 8, limitPerShopper: 1, maxPerOrder: 1, packets }],
    ['waves', ofWaves(rain(), waves([8, 1000], [2, 50])), { stock: 8, packets }],
    ['coupons', coupon({ stock: -1 }), { price: 0, stock: -1 }],
    ['variants', sizes(), { stock: 10, variants: [s, m] }],
  ])('of %s derives its other fields', (_, definition, value) => {
    expect(parse(saleDefinition, definition)).toMatchObject({ ok: true, value })
  })
})
