/** The texts in the form of a sale, and the definition or the edit that they become (R7, P1, N1). */
import { describe, expect, it } from 'vitest'
import { anotherWindow, editOf, type FormText, isAsked, textOf } from '../../../console/form/form-text.ts'
import { isSame, type Row, type TextPart, textAt } from '../../../console/parts/text-parts.ts'
import { fromLocalInput } from '../../../console/parts/typed.ts'
import { optionFields } from '../../../core/options.ts'
import { defaultThrottle, type SaleDefinition } from '../../../core/sale/sale.ts'
import { type SettingName, settingNames, settingOf } from '../../../core/sale/settings.ts'
import { definitionOf, entering, blueBowl as typed } from '../blue-bowl.ts'

const morning: Row = { startsAt: '2026-11-21T09:00', endsAt: '2026-11-21T10:00', stock: '30' }
const noon: Row = { startsAt: '2026-11-21T12:00', endsAt: '2026-11-21T13:00', stock: '20' }

/** The texts of a form whose kind was changed: hidden fields keep invalid values. */
const other = 'what was typed for goods'
const hidden = { price: other, paymentWindowSeconds: other, paymentGraceSeconds: other }
const coupon = entering(typed, { ...hidden, kind: 'coupon', maxPerOrder: '2' })
const packets = { 'packets.count': '1000', 'packets.totalAmount': '5000.00' }
const rain = entering(typed, { ...hidden, ...packets, kind: 'red-packet', limitPerShopper: '', maxPerOrder: '' })
const waves: Row[] = [
  { ...morning, stock: '300', totalAmount: '1500' },
  { ...noon, stock: '200', totalAmount: '400.5' },
]

/** The edit after those parts have changed, from the text as the sale is shown. */
function editTo(text: FormText, parts: Readonly<Record<string, TextPart>>) {
  const before = textOf(definitionOf(text))
  const after = entering(before, parts)
  return editOf(before, after, definitionOf(after))
}

describe('a path of the form', () => {
  it('addresses a setting, a part of one, and an input in a row of a list', () => {
    const text = entering(typed, { windows: [morning, noon] })
    const changed = entering(text, {
      'windows.1.stock': '7',
      'throttle.perIp.limit': '9',
      'translations.de.title': 'Schale',
    })
    expect(textAt(changed, 'windows.1.stock')).toBe('7')
    expect(textAt(changed, 'windows.1.endsAt')).toBe(noon.endsAt)
    expect(textAt(changed, 'throttle.perIp.windowSeconds')).toBe('60')
    expect(textAt(changed, 'translations.de.title')).toBe('Schale')
    for (const path of ['windows.5.stock', 'coupons.validFrom', 'windows']) expect(textAt(changed, path), path).toBe('')
    expect(textAt(text, 'windows.1.stock')).toBe('20')
  })

  it('is the same with an empty text as with none', () => {
    expect(isSame(entering(typed, { 'coupons.validFrom': '', listPrice: '' }), typed)).toBe(true)
    expect(isSame(entering(typed, { windows: [morning] }), typed)).toBe(false)
    expect(isSame(entering(typed, { kind: 'coupon' }), typed)).toBe(false)
  })
})

describe('the definition of a form', () => {
  it('has what was typed', () => {
    expect(definitionOf(typed)).toMatchObject({
      ...{ price: 10, currency: 'CNY', stock: 100, paymentWindowSeconds: 900, maxPerOrder: 1 },
    })
  })

  it.each<[string, FormText, Record<string, TextPart>, Partial<SaleDefinition>]>([
    ['an unlimited stock (S4)', typed, { stock: '-1' }, { stock: -1 }],
    [
      'minutes to pay in parts, and no grace of a payment (O8)',
      typed,
      { paymentWindowSeconds: '0,5', paymentGraceSeconds: '0' },
      { paymentWindowSeconds: 30, paymentGraceSeconds: 0 },
    ],
    ['the usual grace of a payment', typed, { paymentGraceSeconds: ' ' }, { paymentGraceSeconds: 120 }],
    [
      'the gate of the sale (R2-R6, G5)',
      typed,
      { admissionRatio: '1,25', minLevel: '3', challenge: 'pow', 'throttle.perIp.limit': '900' },
      {
        ...{ admissionRatio: 1.25, minLevel: 3, challenge: 'pow' },
        throttle: { ...defaultThrottle, perIp: { limit: 900, windowSeconds: 60 } },
      },
    ],
    [
      'costs of delivery by country, free where none is entered',
      typed,
      { 'delivery.countries': 'DE, AT, CN', 'delivery.costs.DE': '4.90', 'delivery.costs.AT': '9,90' },
      { delivery: { countries: ['DE', 'AT', 'CN'], costs: { DE: 490, AT: 990, CN: 0 } } },
    ],
    ['free delivery', typed, { delivery: { countries: 'DE', costs: { DE: '' } } }, { delivery: { countries: ['DE'] } }],
    [
      'pages of other sites, each without the slash at its end',
      typed,
      { allowedOrigins: 'https://a.example، http://localhost:8080/\n' },
      { allowedOrigins: ['https://a.example', 'http://localhost:8080'] },
    ],
    ['coupons, without a price or a time to pay', coupon, {}, { price: 0, stock: 100, coupons: {} }],
    ['as many coupons as are asked for (S4)', coupon, { stock: '-1' }, { stock: -1 }],
    [
      'one side of the validity of coupons',
      coupon,
      { 'coupons.validUntil': '2026-12-20T12:00' },
      { coupons: { validUntil: fromLocalInput('2026-12-20T12:00', undefined) } },
    ],
    ['several databases', coupon, { shards: '4' }, { shards: 4 }],
    ['early access (R6)', coupon, early(), { earlyAccess: { minutes: 10, minLevel: 3 } }],
    [
      'red packets, from which the rest follows (P1)',
      rain,
      {},
      { packets: { count: 1000, totalAmount: 500_000 }, stock: 1000, price: 0, limitPerShopper: 1, maxPerOrder: 1 },
    ],
    [
      'waves of red packets, the first of which stands for the sale (R7)',
      rain,
      { 'packets.count': '', windows: waves },
      { packets: { count: 300, totalAmount: 150_000 }, stock: 300 },
    ],
    [
      'rounds, which say when the sale starts and with how many units (R7)',
      typed,
      { stock: 'what the hidden field says', windows: [morning, noon] },
      { stock: 30, startsAt: fromLocalInput('2026-11-21T09:00', undefined) },
    ],
  ])('has %s, and is shown as it would be typed again', (_, text, parts, expected) => {
    const definition = definitionOf(entering(text, parts))
    expect(definition).toMatchObject(expected)
    expect(definitionOf(textOf(definition))).toEqual(definition)
  })

  it('has no early access where all of it is empty', () => {
    expect(definitionOf(coupon).earlyAccess).toBeUndefined()
  })

  it('has the fields of its kind alone', () => {
    const ofOptions = new Set(optionFields.flatMap(({ settings }) => Object.keys(settings)))
    const own = settingNames.filter((name) => !ofOptions.has(name))
    const shown = (text: FormText) =>
      own.filter((name) => !/^(?:pictures|translations|throttle|delivery.costs)/.test(name) && isAsked(name, text))
    const sorted = (...names: SettingName[]) => settingNames.filter((name) => names.includes(name))
    const always: SettingName[] = ['saleId', 'title', 'description', 'currency', 'timeZone']
    const gate = settingNames.filter((name) => settingOf(name).group === 'gate' && !name.startsWith('throttle'))
    const limits: SettingName[] = ['limitPerShopper', 'maxPerOrder', 'earlyAccess.minutes', 'earlyAccess.minLevel']
    const ofRain: SettingName[] = ['startsAt', 'endsAt', 'packets.count', 'packets.totalAmount']
    const validity: SettingName[] = ['coupons.validFrom', 'coupons.validUntil']
    expect(shown(rain)).toEqual(sorted(...always, ...gate, ...ofRain))
    expect(shown(entering(rain, { windows: waves }))).toEqual(sorted(...always, ...gate))
    expect(shown(coupon)).toEqual(
      sorted(...always, ...gate, ...limits, ...validity, 'startsAt', 'endsAt', 'stock', 'shards'),
    )
    expect(shown(typed)).not.toContain('packets.count')
    expect(shown(typed)).toEqual(expect.arrayContaining(['price', 'listPrice', 'paymentWindowSeconds', ...limits]))
  })
})

describe('another window of the form (R7)', () => {
  it('begins with the sale as it stands, and goes on a day later with the same hours and units', () => {
    const { startsAt, endsAt } = typed
    expect(anotherWindow(typed)).toEqual({ startsAt, endsAt, stock: '100' })
    expect(anotherWindow(entering(typed, { stock: '-1' }))).toEqual({ startsAt, endsAt, stock: '' })
    expect(anotherWindow(rain)).toEqual({ startsAt, endsAt, stock: '1000', totalAmount: '5000.00' })
    expect(anotherWindow(entering(typed, { windows: [noon, morning] }))).toEqual({
      ...{ startsAt: '2026-11-22T09:00', endsAt: '2026-11-22T10:00', stock: '30' },
    })
  })
})

describe('an edit', () => {
  it('sends only what was typed anew, so a running sale keeps its finer times', () => {
    const definition = definitionOf(typed)
    const before = textOf({ ...definition, startsAt: definition.startsAt + 123, paymentWindowSeconds: 90 })
    const after = entering(before, { title: 'Green bowl', 'throttle.perShopper.limit': '9' })
    expect(editOf(before, after, definitionOf(after))).toEqual({
      title: 'Green bowl',
      throttle: { ...defaultThrottle, perShopper: { limit: 9, windowSeconds: 60 } },
    })
  })

  it('of the windows says anew when the sale starts, when it ends and with how many units (R7)', () => {
    const [first] = definitionOf(entering(typed, { windows: [morning] })).windows
    expect(editTo(typed, { windows: [morning] })).toEqual({ windows: [first], ...first })
    const { startsAt, endsAt, stock } = definitionOf(typed)
    const own = { startsAt: textAt(typed, 'startsAt'), endsAt: textAt(typed, 'endsAt'), stock: '100' }
    const back = editTo(entering(typed, { windows: [morning] }), { ...own, windows: [] })
    expect(back).toEqual({ windows: [], startsAt, endsAt, stock })
  })

  it('of another field leaves the windows and what follows from them alone', () => {
    const definition = definitionOf(entering(typed, { windows: [morning, noon] }))
    const before = textOf({ ...definition, ...definition.windows[1] })
    const after = entering(before, { minLevel: '2' })
    expect(editOf(before, after, definitionOf(after))).toEqual({ minLevel: 2 })
  })

  it('of packets sends the stock that they are, and of waves what follows from the first', () => {
    const counted = { packets: { count: 500, totalAmount: 500_000 }, stock: 500 }
    expect(editTo(rain, { 'packets.count': '500' })).toEqual(counted)
    const { windows, startsAt, endsAt, stock, packets } = definitionOf(entering(rain, { windows: waves }))
    expect(editTo(rain, { windows: waves })).toEqual({ windows, startsAt, endsAt, stock, packets })
  })

  it.each<[string, FormText, Record<string, TextPart>, Record<string, TextPart>, object]>([
    [
      'the validity of coupons',
      coupon,
      { 'coupons.validUntil': '2026-12-20T12:00' },
      { 'coupons.validUntil': '' },
      { coupons: {} },
    ],
    [
      'the checkout of the shop',
      typed,
      { checkoutUrl: 'https://shop.example/cart' },
      { checkoutUrl: '' },
      { checkoutUrl: null },
    ],
    [
      'pages of other sites',
      rain,
      { allowedOrigins: 'https://a.example' },
      { allowedOrigins: ' ' },
      { allowedOrigins: [] },
    ],
    ['early access', coupon, early(), early('', ''), { earlyAccess: null }],
    ['countries', typed, { 'delivery.countries': 'DE' }, { 'delivery.countries': '' }, { delivery: { countries: [] } }],
    [
      'other languages',
      typed,
      { 'translations.de.title': 'Schale' },
      { 'translations.de.title': '' },
      { translations: {} },
    ],
  ])('removes %s', (_, text, parts, emptied, edit) => {
    expect(editTo(entering(text, parts), emptied)).toEqual(edit)
  })
})

function early(minutes = '10', level = '3') {
  return { 'earlyAccess.minutes': minutes, 'earlyAccess.minLevel': level }
}
