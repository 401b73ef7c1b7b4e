/** Tests the definition of each kind of sale: every contradiction is rejected with the name of its field. */
import { describe, expect, it } from 'vitest'
import { parse } from '../../../core/lib/parse.ts'
import { defaultThrottle, saleDefinition, saleEdit, textIn } from '../../../core/sale/sale.ts'
import { edit } from '../../../functions/control/steps.ts'
import { aSale } from '../../redis/support.ts'

const hour = 3_600_000
const minute = 60_000
const picture = { src: '/assets/pictures/mug.svg', alt: 'The product' }
const common = {
  ...{ saleId: 'demo-mug', title: 'Mug', description: 'A mug.', pictures: [picture], currency: 'CNY' },
  ...{ startsAt: hour, endsAt: 2 * hour },
}
const limits = { limitPerShopper: 2, maxPerOrder: 1 }
const packets = { count: 8, totalAmount: 1000 }
const s = { id: 's', name: 'Small', stock: 4 }
const m = { id: 'm', name: 'Medium', stock: 6 }

const goods = (change: object = {}) => ({ ...common, ...limits, kind: 'goods', price: 10, stock: 10, ...change })
const rain = (change: object = {}) => ({ ...common, kind: 'red-packet', packets, ...change })
const coupon = (change: object = {}) => ({ ...common, ...limits, kind: 'coupon', stock: 10, ...change })
const sizes = (change: object = {}) => ({ ...common, ...limits, kind: 'goods', price: 10, variants: [s, m], ...change })

/** A definition with windows in place of times, stock and packets. */
const inWindows = ({ startsAt, endsAt, stock, packets, ...rest }: Record<string, unknown>, windows: unknown) => ({
  ...rest,
  windows,
})

const first = { startsAt: hour, endsAt: 2 * hour, stock: 4 }
const second = { startsAt: 2 * hour, endsAt: 3 * hour, stock: 6 }
const ofSizes = { startsAt: 3 * hour, endsAt: 4 * hour, stock: 3, units: { s: 1, m: 2 } }
const sizesInWindow = (change: object = {}) => sizes({ stock: 10, windows: [{ ...ofSizes, ...change }] })
const backwards = { validFrom: 9 * hour, validUntil: 8 * hour }
const long = 'x'.repeat(61)
const waves = (...amounts: [count: number, totalAmount: number | undefined][]) =>
  amounts.map(([stock, totalAmount], day) => {
    const startsAt = (1 + 24 * day) * hour
    return { startsAt, endsAt: startsAt + hour, stock, ...(totalAmount && { totalAmount }) }
  })

describe('a definition', () => {
  it.each([
    ['saleId', { saleId: 'Demo Mug' }],
    ['saleId', { saleId: 'x{y}' }],
    ['kind', { kind: 'raffle' }],
    ['title', { title: '  ' }],
    ['title', { title: undefined }],
    ['description', { description: 7 }],
    ['image', { image: picture.src }],
    ['market', { market: 'DE' }],
    ['taxPercent', { taxPercent: 19 }],
    ['lowestPrice', { lowestPrice: 11 }],
    ['withdrawalException', { withdrawalException: 'custom' }],
    ['pictures', { pictures: [] }],
    ['pictures', { pictures: Array(9).fill(picture) }],
    ['pictures.0.src', { pictures: [{ ...picture, src: 'javascript:alert(1)' }] }],
    ['pictures.0.alt', { pictures: [{ src: picture.src }] }],
    ['pictures.0.alt', { pictures: [{ ...picture, alt: '  ' }] }],
    ['pictures.0.alt', { pictures: [{ ...picture, alt: 'x'.repeat(201) }] }],
    ['pictures.0.alts.de', { pictures: [{ ...picture, alts: { de: ' ' } }] }],
    ['pictures.0.alts.de', { pictures: [{ ...picture, alts: { de: 'x'.repeat(201) } }] }],
    ['pictures.0.width', { pictures: [{ ...picture, width: 5 }] }],
    ['translations.zh-CN.title', { translations: { 'zh-CN': { title: '' } } }],
    ['translations.zh-CN.name', { translations: { 'zh-CN': { name: 'x' } } }],
    ['translations.French', { translations: { French: { title: 'Une tasse' } } }],
    ['price', { price: -1 }],
    ['price', { price: 0.5 }],
    ['listPrice', { listPrice: 10 }],
    ['listPrice', { listPrice: 9 }],
    ['listPrice', { listPrice: null }],
    ['prices', { prices: { USD: 5 } }],
    ['timeZone', { timeZone: 'Mars/Olympus' }],
    ['timeZone', { timeZone: '' }],
    ['delivery.costs', { delivery: { countries: ['DE', 'AT'], costs: { DE: 1 } } }],
    ['delivery.costs', { delivery: { countries: ['DE'], costs: { AT: 1 } } }],
    ['delivery.costs.XX', { delivery: { countries: ['DE'], costs: { XX: 1 } } }],
    ['delivery.costs.DE', { delivery: { countries: ['DE'], costs: { DE: 0.5 } } }],
    ['delivery.costs', { price: 0, delivery: { countries: ['DE'], costs: { DE: 1 } } }],
    ['delivery.freeAbove', { delivery: { countries: ['DE'], freeAbove: 1 } }],
    ['currency', { currency: 'XXZ' }],
    ['currency', { currency: 'cny' }],
    ['stock', { stock: -2 }],
    ['stock', { stock: 1e99 }],
    ['stock', { stock: '10' }],
    ['limitPerShopper', { limitPerShopper: 0 }],
    ['maxPerOrder', { maxPerOrder: 3 }],
    ['startsAt', { startsAt: '12:00' }],
    ['endsAt', { endsAt: hour }],
    ['endsAt', { endsAt: 0 }],
    ['paymentWindowSeconds', { paymentWindowSeconds: 0 }],
    ['paymentGraceSeconds', { paymentGraceSeconds: -1 }],
    ['paymentGraceSeconds', { paymentGraceSeconds: 3601 }],
    ['throttle.perShopper.limit', { throttle: { perShopper: { limit: 0, windowSeconds: 1 } } }],
    ['throttle.perShopper.limit', { throttle: { perShopper: { limit: 1001, windowSeconds: 1 } } }],
    ['throttle.perShopper.windowSeconds', { throttle: { perShopper: { limit: 1 } } }],
    ['throttle.perIp.windowSeconds', { throttle: { perIp: { limit: 1, windowSeconds: 3601 } } }],
    ['throttle.perIp.limit', { throttle: { perIp: { limit: 1.5, windowSeconds: 1 } } }],
    ['throttle.perSale', { throttle: { perSale: { limit: 2000, windowSeconds: 1 } } }],
    ['admitPerSecond', { admitPerSecond: 0 }],
    ['admitPerSecond', { admitPerSecond: 1.5 }],
    ['admitPerSecond', { admitPerSecond: 1_000_001 }],
    ['admissionRatio', { admissionRatio: 0.999 }],
    ['admissionRatio', { admissionRatio: 100.001 }],
    ['admissionRatio', { admissionRatio: 1.2345 }],
    ['admissionRatio', { admissionRatio: '1.2' }],
    ['admissionRatio', { admissionRatio: Number.NaN }],
    ['minLevel', { minLevel: -1 }],
    ['minLevel', { minLevel: 2.5 }],
    ['spreadSeconds', { spreadSeconds: 301 }],
    ['challenge', { challenge: true }],
    ['challenge', { challenge: 'captcha' }],
    ['color', { color: 'red' }],
    ['flag', { flag: 'on' }],
    ['windows', { windows: 'all day' }],
    ['earlyAccess', { earlyAccess: true }],
    ['earlyAccess.minLevel', { earlyAccess: { minutes: 10 } }],
    ['earlyAccess.minLevel', { earlyAccess: { minutes: 10, minLevel: 0 } }],
    ['earlyAccess.minutes', { earlyAccess: { minLevel: 3 } }],
    ['earlyAccess.minutes', { earlyAccess: { minutes: 0, minLevel: 3 } }],
    ['earlyAccess.minutes', { earlyAccess: { minutes: 1.5, minLevel: 3 } }],
    ['earlyAccess.minutes', { endsAt: 30 * hour, earlyAccess: { minutes: 1441, minLevel: 3 } }],
    ['earlyAccess.minutes', { earlyAccess: { minutes: 60, minLevel: 3 } }],
    ['earlyAccess.list', { earlyAccess: { minutes: 10, minLevel: 3, list: 'on' } }],
    ['earlyAccess.until', { earlyAccess: { minutes: 10, minLevel: 3, until: 1 } }],
  ])('of goods is refused by its %s for %j', (field, change) => {
    expect(parse(saleDefinition, goods(change))).toMatchObject({ ok: false, field })
  })

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
    ['earlyAccess', 'red packets for members first', rain({ earlyAccess: { minutes: 5, minLevel: 1 } })],
    ['windows.1.totalAmount', 'a wave without money', inWindows(rain(), waves([8, 1000], [2, undefined]))],
    ['windows.1.totalAmount', 'a wave with too little money', inWindows(rain(), waves([8, 1000], [51, 50]))],
    ['packets', 'coupons with packets', coupon({ packets })],
    ['windows.0.totalAmount', 'coupons with money', inWindows(coupon(), waves([8, 50]))],
    ['price', 'coupons at a price', coupon({ price: 10 })],
    ['listPrice', 'coupons with a regular price', coupon({ listPrice: 5 })],
    ['coupons.validUntil', 'coupons that end with the sale', coupon({ coupons: { validUntil: 2 * hour } })],
    ['coupons.validUntil', 'coupons that end before they begin', coupon({ coupons: backwards })],
    ['coupons.code', 'coupons with a code', coupon({ coupons: { code: 'SPRING' } })],
    ['stock', 'variants with another sum', sizes({ stock: 9 })],
    ['variants', 'one variant', sizes({ variants: [s] })],
    ['variants.1.id', 'one id twice', sizes({ variants: [s, { ...m, id: 's' }] })],
    ['variants.1.name', 'one name twice', sizes({ variants: [s, { ...m, name: 'Small' }] })],
    ['variants.1.id', 'a name for an id', sizes({ variants: [s, { ...m, id: 'Black M' }] })],
    ['variants.1.names.de', 'a long name in a language', sizes({ variants: [s, { ...m, names: { de: long } }] })],
    ['variants.1.stock', 'a variant without a limit', sizes({ variants: [s, { ...m, stock: -1 }] })],
    ['variants', 'variants of coupons', sizes({ kind: 'coupon', price: 0 })],
    ['windows.0.units', 'a window without units of variants', sizesInWindow({ units: undefined })],
    ['windows.0.units', 'a window with another sum', sizesInWindow({ stock: 4 })],
    ['windows.0.units', 'a window without a variant', sizesInWindow({ units: { s: 3 } })],
    ['windows.0.units', 'a window of another variant', sizesInWindow({ units: { s: 1, l: 2 } })],
    ['windows.0.units', 'units of variants without variants', goods({ windows: [ofSizes] })],
  ])('is refused by its %s for %s (P1, N1)', (field, _, definition) => {
    expect(parse(saleDefinition, definition)).toMatchObject({ ok: false, field })
  })

  it.each([null, 5, 'five', [], {}])('of red packets is refused with packets that are %j (P1)', (packets) => {
    const { error } = saleDefinition.safeParse(rain({ packets }))
    expect(error?.issues.map(({ path }) => path[0])).toContain('packets')
  })

  it.each([
    ['windows.1.startsAt', 'overlapping ones', [first, { ...second, startsAt: 2 * hour - 1 }]],
    ['windows.1.startsAt', 'ones in the wrong order', [second, first]],
    ['windows.1.startsAt', 'the same one twice', [first, first]],
    ['windows.1.endsAt', 'one that ends before its start', [first, { ...second, endsAt: 2 * hour - 1 }]],
    ['windows.1.endsAt', 'one that ends at its start', [first, { ...second, endsAt: 2 * hour }]],
    ['windows.1.stock', 'one without units', [first, { ...second, stock: 0 }]],
    ['windows.1.stock', 'one without an end of units', [first, { ...second, stock: -1 }]],
    ['windows.1.startsAt', 'one of nothing', [first, {}]],
    ['windows.1.price', 'one with a price of its own', [first, { ...second, price: 1 }]],
    ['windows.0', 'what is no window', [null]],
    ['windows.0', 'a list', [[]]],
    ['windows', 'what is no list', { 0: first }],
  ])('is refused by its %s for windows with %s (R7)', (field, _, windows) => {
    expect(parse(saleDefinition, goods({ windows }))).toMatchObject({ ok: false, field })
  })

  it.each([
    ['red packets', rain(), { price: 0, stock: 8, limitPerShopper: 1, maxPerOrder: 1, packets }],
    ['waves', inWindows(rain(), waves([8, 1000], [2, 50])), { stock: 8, packets }],
    ['coupons', coupon({ stock: -1 }), { price: 0, stock: -1 }],
    ['variants', sizes(), { stock: 10, variants: [s, m] }],
    ['variants in windows', sizesInWindow(), { windows: [ofSizes] }],
    ['windows', inWindows(goods(), [first, second]), { startsAt: hour, endsAt: 2 * hour, stock: 4 }],
    ['a later window', goods({ ...second, stock: 10, windows: [first, second] }), { ...second, stock: 10 }],
    ['early access', goods({ earlyAccess: { minutes: 59, minLevel: 3 } }), {}],
    ['early access to coupons', coupon({ earlyAccess: { minutes: 1, minLevel: 1 } }), {}],
    ['a whole crowd in turn', goods({ spreadSeconds: 300 }), { spreadSeconds: 300 }],
    ['eight pictures', goods({ pictures: Array(8).fill(picture) }), {}],
    ['a regular price', goods({ listPrice: 11 }), { listPrice: 11 }],
    ['a time zone', rain({ timeZone: 'Asia/Tokyo' }), { timeZone: 'Asia/Tokyo' }],
    ['another language', goods({ translations: { 'zh-CN': { title: '马克杯' } } }), {}],
    ['no end of units (S4)', goods({ stock: -1 }), { stock: -1 }],
  ])('of %s is accepted, and its other fields are derived', (_, definition, value) => {
    expect(parse(saleDefinition, definition)).toMatchObject({ ok: true, value })
  })

  it.each([1, 1.2, 1.001, 1.005, 2.675, 100])('accepts %f admissions for a unit (G5)', (admissionRatio) => {
    const read = parse(saleDefinition, goods({ admissionRatio }))
    expect(read).toMatchObject({ ok: true, value: { admissionRatio } })
  })

  it('has 15 minutes to pay, a fifth more admissions than units, and no check but a pass by default (O8, G5, R2, R5, R6, R7)', () => {
    const read = parse(saleDefinition, goods())
    expect(read).toMatchObject({
      ok: true,
      value: {
        ...{ paymentWindowSeconds: 900, paymentGraceSeconds: 120, admissionRatio: 1.2, minLevel: 0 },
        ...{ challenge: 'off', requirePass: 'on', spreadSeconds: 0, windows: [] },
        throttle: { ...defaultThrottle, perShopper: { limit: 5, windowSeconds: 60 } },
      },
    })
    expect(Object.keys(saleDefinition.parse(goods()))).not.toEqual(expect.arrayContaining(['listPrice']))
    expect(Object.keys(saleDefinition.parse(goods()))).not.toEqual(expect.arrayContaining(['translations']))
  })

  it('keeps the throttles that it does not name (R2, R3, R4)', () => {
    const perIp = { limit: 9, windowSeconds: 1 }
    const value = { throttle: { ...defaultThrottle, perIp } }
    expect(parse(saleDefinition, goods({ throttle: { perIp } }))).toMatchObject({ ok: true, value })
  })

  it('has early access that ends before every window does (R6, R7)', () => {
    const windows = [
      { startsAt: hour, endsAt: hour + 15 * minute, stock: 4 },
      { startsAt: hour + 15 * minute, endsAt: hour + 25 * minute, stock: 6 },
    ]
    const withMinutes = (minutes: number) =>
      parse(saleDefinition, inWindows(goods({ earlyAccess: { minutes, minLevel: 3 } }), windows))
    expect(withMinutes(9)).toMatchObject({ ok: true })
    expect(withMinutes(10)).toMatchObject({ ok: false, field: 'earlyAccess.minutes' })
  })

  it('has at most a hundred windows, and needs stock and times without any (R7)', () => {
    const of = (windows: unknown) => parse(saleDefinition, inWindows(goods(), windows))
    const days = waves(...Array.from({ length: 101 }, (): [number, undefined] => [1, undefined]))
    expect(of(days.slice(0, 100))).toMatchObject({ ok: true })
    const detail = 'windows must be at most 100 windows'
    expect(of(days)).toEqual({ ok: false, field: 'windows', detail })
    for (const none of [[{}], []]) expect(of(none)).toMatchObject({ ok: false, field: 'stock' })
    expect(parse(saleDefinition, null)).toMatchObject({ ok: false, field: 'body' })
  })
})

describe('an edit', () => {
  const throttle = { perIp: { limit: 9, windowSeconds: 1 } }

  it.each([[{ throttle }], [{}], [{ title: 'Cup' }], [{ earlyAccess: null }]])(
    'may be %j, and nothing is added to it (R2, R3, R4, R6)',
    (value) => expect(parse(saleEdit, value)).toEqual({ ok: true, value }),
  )

  it.each([
    ['throttle.perIp.windowSeconds', { throttle: { perIp: { limit: 9 } } }],
    ['saleId', { saleId: 'other' }],
    ['kind', { kind: 'goods' }],
  ])('is refused by its %s for %j', (field, change) => {
    expect(parse(saleEdit, change)).toMatchObject({ ok: false, field })
  })

  const running = aSale({ price: 1000, listPrice: 2000, epoch: 1, flag: 'on' })

  it('changes pictures, texts and the regular price while the sale runs', () => {
    const change = saleEdit.parse({ pictures: [picture, picture], listPrice: 3000, translations: {} })
    expect(edit(running, 0, change)).toMatchObject({ kind: 'changed', sale: change })
    const without = edit(running, 0, saleEdit.parse({ listPrice: null }))
    expect(JSON.parse(JSON.stringify(without)).sale).not.toHaveProperty('listPrice')
    expect(edit(running, 0, { listPrice: 1000 })).toMatchObject({ kind: 'invalid', field: 'listPrice' })
  })
})

it('the texts of a sale are those of the language, and for what that lacks those of the sale', () => {
  const sale = { title: 'A mug', description: 'Blue.', translations: { 'zh-CN': { title: '马克杯' } } }
  expect(textIn(sale, 'zh-CN')).toEqual({ title: '马克杯', description: 'Blue.' })
  expect(textIn(sale, 'en')).toEqual({ title: 'A mug', description: 'Blue.' })
})
