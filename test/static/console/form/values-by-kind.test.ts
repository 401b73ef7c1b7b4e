/** The sale form of coupons and of red packets: other fields, the same way to a definition and back. */
import { describe, expect, it } from 'vitest'
import { maxPackets } from '../../../../core/packets/packets.ts'
import { type SettingName, settingNames, settingOf } from '../../../../core/sale/settings.ts'
import { errorOf, placeOf } from '../../../../static/client/console/form/field-errors.ts'
import { type FormText, fieldNames, isAskedFor } from '../../../../static/client/console/form/form-text.ts'
import { wavesIn } from '../../../../static/client/console/form/split-preview.tsx'
import { defaultText, editOf, readForm, textOf } from '../../../../static/client/console/form/values.ts'
import type { WindowText } from '../../../../static/client/console/form/window-text.ts'
import { fromLocalInput } from '../../../../static/client/console/lib/typed.ts'
import { definitionOf, errorsIn } from '../blue-bowl.ts'

/** What a form holds whose kind was changed: the hidden fields keep nonsense. */
const typed: FormText = {
  ...defaultText('EUR'),
  kind: 'coupon',
  saleId: 'tea-voucher',
  title: 'Tea voucher',
  description: 'A cup of tea.',
  pictures: [{ src: '/assets/pictures/ticket.svg', alt: 'The product' }],
  price: 'what was typed for goods',
  currency: 'EUR',
  stock: '200',
  'packets.count': '1000',
  'packets.totalAmount': '5000.00',
  limitPerShopper: '2',
  maxPerOrder: '2',
  startsAt: '2026-11-20T12:00',
  endsAt: '2026-11-20T13:00',
  'coupons.validFrom': '',
  'coupons.validUntil': '',
  windows: [],
  variants: [],
  texts: {},
  paymentWindowSeconds: 'what was typed for goods',
  paymentGraceSeconds: 'what was typed for goods',
}
const rain: FormText = { ...typed, kind: 'red-packet', limitPerShopper: '', maxPerOrder: '' }

const first: WindowText = {
  startsAt: '2026-11-21T09:00',
  endsAt: '2026-11-21T10:00',
  stock: '300',
  totalAmount: '1500',
}
const second: WindowText = {
  startsAt: '2026-11-21T12:00',
  endsAt: '2026-11-21T13:00',
  stock: '200',
  totalAmount: '400.5',
}

describe('the form of a coupon sale', () => {
  it('says nothing of a price or a time to pay', () => {
    const { price, currency, stock, limitPerShopper, coupons } = definitionOf(typed)
    expect({ price, currency, stock, limitPerShopper, coupons }).toEqual({
      price: 0,
      currency: 'EUR',
      stock: 200,
      limitPerShopper: 2,
      coupons: {},
    })
  })

  it('says when the coupons are good, each side only if it is typed', () => {
    const until = { ...typed, 'coupons.validUntil': '2026-12-20T12:00' }
    expect(definitionOf(until).coupons).toEqual({ validUntil: fromLocalInput('2026-12-20T12:00', undefined) })
    expect(definitionOf({ ...until, 'coupons.validFrom': '2026-11-25T00:00' }).coupons).toEqual({
      validFrom: fromLocalInput('2026-11-25T00:00', undefined),
      validUntil: fromLocalInput('2026-12-20T12:00', undefined),
    })
  })

  it('wants them to be good beyond the sale, and a half-typed date is no date', () => {
    expect(errorsIn({ ...typed, 'coupons.validUntil': typed.endsAt })).toEqual({
      'coupons.validUntil': 'error.validUntil',
    })
    expect(errorsIn({ ...typed, 'coupons.validFrom': '?', 'coupons.validUntil': '?' })).toEqual({
      'coupons.validFrom': 'error.time',
      'coupons.validUntil': 'error.time',
    })
  })

  it('takes -1 for as many as are asked for (S4)', () => {
    expect(definitionOf({ ...typed, stock: '-1' }).stock).toBe(-1)
  })

  it('sends an emptied date as none', () => {
    const before = textOf(definitionOf({ ...typed, 'coupons.validUntil': '2026-12-20T12:00' }))
    const after = { ...before, 'coupons.validUntil': '' }
    expect(editOf(before, after, definitionOf(after))).toEqual({ coupons: {} })
  })
})

describe('the checkout of the shop', () => {
  const checkoutUrl = 'https://shop.example/cart'
  const goods = {
    ...typed,
    kind: 'goods',
    price: '5.00',
    paymentWindowSeconds: '15',
    paymentGraceSeconds: '120',
  } as const

  it('is an address for goods with a price, and is sent as none once it is emptied', () => {
    const before = textOf(definitionOf({ ...goods, checkoutUrl }))
    expect(definitionOf(before).checkoutUrl).toBe(checkoutUrl)
    const after = { ...before, checkoutUrl: '' }
    expect(editOf(before, after, definitionOf(after))).toEqual({ checkoutUrl: null })
  })

  it('has costs of delivery by country, as they are typed in either language', () => {
    const typed = {
      ...goods,
      'delivery.countries': 'DE, AT',
      'delivery.costs': 'de 4.90， AT：9,90',
    }
    const { delivery } = definitionOf(typed)
    expect(delivery).toEqual({ countries: ['DE', 'AT'], costs: { DE: 490, AT: 990 } })
    expect(textOf(definitionOf(typed))['delivery.costs']).toBe('DE 4.90, AT 9.90')
    expect(errorsIn({ ...typed, 'delivery.costs': 'DE 4.90' })).toEqual({ 'delivery.costs': 'error.costs' })
    expect(errorsIn({ ...typed, 'delivery.costs': 'DE x, AT 1' })).toEqual({ 'delivery.costs': 'error.costs' })
  })

  it.each([
    ['without https', { checkoutUrl: 'http://shop.example' }, { checkoutUrl: 'error.checkoutUrl' }],
    ['with a price of 0', { checkoutUrl, price: '0' }, { checkoutUrl: 'error.checkoutFree' }],
    [
      'with countries to send to',
      { checkoutUrl, 'delivery.countries': 'DE' },
      { 'delivery.countries': 'error.checkoutCountries' },
    ],
  ])('is refused %s', (_, change, expected) => {
    expect(errorsIn({ ...goods, ...change })).toEqual(expected)
  })
})

describe('the databases for a stock', () => {
  it('are one unless more are entered, for red packets as well', () => {
    expect(definitionOf(typed).shards).toBe(1)
    expect(definitionOf({ ...typed, shards: '4' }).shards).toBe(4)
    expect(textOf(definitionOf({ ...typed, shards: '4' })).shards).toBe('4')
  })

  it.each([
    ['no number', { shards: 'two' }, 'error.whole'],
    ['more than there can be', { shards: '65' }, 'error.whole'],
    ['several for an unlimited stock', { shards: '2', stock: '-1' }, 'error.shardsUnlimited'],
  ])('are refused at their field as %s', (_name, change, key) => {
    expect(errorsIn({ ...typed, ...change })).toEqual({ shards: key })
  })

  it('are too many for the shop when the API refuses a possible number', () => {
    expect(errorOf('shards', { ...typed, shards: '4' })).toEqual({ key: 'error.shards' })
  })
})

describe('the form of red packets (P1)', () => {
  it('says how many there are and what they hold; the rest follows', () => {
    expect(definitionOf(rain)).toMatchObject({
      packets: { count: 1000, totalAmount: 500_000 },
      stock: 1000,
      price: 0,
      limitPerShopper: 1,
      maxPerOrder: 1,
    })
  })

  it('says it wave by wave, and the first stands for the sale (R7)', () => {
    const { packets, stock, windows } = definitionOf({ ...rain, 'packets.count': '', windows: [first, second] })
    expect({ packets, stock }).toEqual({ packets: { count: 300, totalAmount: 150_000 }, stock: 300 })
    expect(windows.map(({ totalAmount }) => totalAmount)).toEqual([150_000, 40_050])
  })

  it('wants at least one minor unit for each packet, and says how much that is', () => {
    const least = { key: 'error.total', args: { least: '10.00', each: '0.01', code: 'EUR' } }
    const short = readForm({ ...rain, 'packets.totalAmount': '9.99' })
    expect(short).toEqual({ ok: false, errors: { 'packets.totalAmount': least } })
  })

  it.each<[string, string, Partial<FormText>]>([
    ['packets.count', 'error.whole', { 'packets.count': '0' }],
    ['packets.count', 'error.whole', { 'packets.count': '1.5' }],
    ['packets.totalAmount', 'error.required', { 'packets.totalAmount': '' }],
    ['packets.totalAmount', 'error.price', { 'packets.totalAmount': '1.234' }],
    ['packets.totalAmount', 'error.totalRange', { 'packets.totalAmount': '100000000000' }],
    ['windows.1.totalAmount', 'error.total', { windows: [first, { ...second, totalAmount: '1' }] }],
    ['windows.0.totalAmount', 'error.total', { windows: [{ ...first, totalAmount: '1' }, second] }],
    ['windows.1.totalAmount', 'error.required', { windows: [first, { ...second, totalAmount: '' }] }],
    ['windows.0.stock', 'error.whole', { windows: [{ ...first, stock: '0' }, second] }],
  ])('is complained about at %s with %s: %j', (place, key, change) => {
    expect(errorsIn({ ...rain, ...change })).toEqual({ [place]: key })
  })

  it('is complained about when there are more packets than a sale can have', () => {
    const many = { ...rain, 'packets.count': String(maxPackets + 1) }
    expect(errorsIn(many)).toMatchObject({ 'packets.count': 'error.whole' })
  })

  it('sends with changed packets the stock that they are', () => {
    const before = textOf(definitionOf(rain))
    const after = { ...before, 'packets.count': '500' }
    expect(editOf(before, after, definitionOf(after))).toEqual({
      packets: { count: 500, totalAmount: 500_000 },
      stock: 500,
    })
  })

  it('sends with changed waves what follows from the first of them', () => {
    const before = textOf(definitionOf(rain))
    const after = { ...before, windows: [first, second] }
    const definition = definitionOf(after)
    const { windows, startsAt, endsAt, stock, packets } = definition
    expect(editOf(before, after, definition)).toEqual({ windows, startsAt, endsAt, stock, packets })
  })
})

describe('a sale of either kind', () => {
  it.each([
    ['coupons', { ...typed, 'coupons.validUntil': '2026-12-20T12:00' }],
    ['red packets', rain],
    ['red packets on other sites', { ...rain, allowedOrigins: 'https://a.example, http://localhost:8080/' }],
    ['red packets in waves', { ...rain, windows: [first, second] }],
  ])('of %s is shown as it would be typed again', (_name, text) => {
    const definition = definitionOf(text)
    expect(definitionOf(textOf(definition))).toEqual(definition)
  })

  it('names the pages of other sites as they are typed, each without the slash at its end, and none when emptied', () => {
    const some = { ...rain, allowedOrigins: 'https://a.example، http://localhost:8080/\n' }
    const definition = definitionOf(some)
    expect(definition.allowedOrigins).toEqual(['https://a.example', 'http://localhost:8080'])
    const none = { ...textOf(definition), allowedOrigins: ' ' }
    expect(editOf(textOf(definition), none, definitionOf(none))).toEqual({ allowedOrigins: [] })
    for (const wrong of ['https://a.example/page', 'http://a.example', 'https://a.example,https://a.example'])
      expect(errorsIn({ ...rain, allowedOrigins: wrong })).toEqual({ allowedOrigins: 'error.origins' })
  })

  it('shows only the fields that it has', () => {
    const shown = (kind: FormText['kind'], hasWindows = false) =>
      settingNames.filter(
        (name) => !name.startsWith('throttle') && isAskedFor(name, kind, { hasWindows, hasVariants: false }),
      )
    const texts = settingNames.filter((name) => /^(?:pictures|translations)/.test(name))
    const own: SettingName[] = ['saleId', 'title', 'description', 'currency', 'timeZone']
    const always: SettingName[] = [...own, ...texts]
    const gate = settingNames.filter((name) => settingOf(name).group === 'gate' && !name.startsWith('throttle'))
    const limits: SettingName[] = ['limitPerShopper', 'maxPerOrder', 'earlyAccess.minutes', 'earlyAccess.minLevel']
    const times: SettingName[] = ['startsAt', 'endsAt']
    const packets: SettingName[] = ['packets.count', 'packets.totalAmount']
    const validity: SettingName[] = ['coupons.validFrom', 'coupons.validUntil']
    const draw = settingNames.filter((name) => name.startsWith('draw.'))
    const sorted = (...names: SettingName[]) => settingNames.filter((name) => names.includes(name))
    expect(shown('red-packet')).toEqual(sorted(...always, ...gate, ...times, ...packets))
    expect(shown('red-packet', true)).toEqual(sorted(...always, ...gate))
    expect(shown('coupon')).toEqual(
      sorted(...always, ...gate, ...times, ...limits, ...validity, ...draw, 'stock', 'shards'),
    )
    expect(shown('goods')).not.toEqual(expect.arrayContaining(packets))
    expect(shown('goods')).toEqual(
      expect.arrayContaining(['price', 'listPrice', 'paymentWindowSeconds', 'shards', ...limits]),
    )
  })

  it('takes what the API says of packets to where they were typed', () => {
    expect(placeOf('packets', rain)).toBe('packets.count')
    expect(placeOf('packets.totalAmount', rain)).toBe('packets.totalAmount')
    expect(placeOf('stock', rain)).toBe('packets.count')
    const waves = { ...rain, windows: [first, second] }
    expect(placeOf('packets.totalAmount', waves)).toBe('windows.0.totalAmount')
    expect(placeOf('windows.1.totalAmount', waves)).toBe('windows.1.totalAmount')
    expect(placeOf('coupons', typed)).toBe('coupons.validUntil')
    expect(placeOf('kind', rain)).toBeUndefined()
  })

  it('has words for what is wrong everywhere', () => {
    for (const name of fieldNames) expect(errorOf(name, typed).key).toMatch(/^error\./)
  })
})

describe('what an example of the split is drawn from', () => {
  it('is the packets of the sale, or those of each wave', () => {
    expect(wavesIn(rain)).toEqual({ kind: 'waves', waves: [{ count: 1000, totalAmount: 500_000 }] })
    expect(wavesIn({ ...rain, windows: [first, second] })).toEqual({
      kind: 'waves',
      waves: [
        { count: 300, totalAmount: 150_000 },
        { count: 200, totalAmount: 40_050 },
      ],
    })
  })

  it('is nothing where a total is too small, and says which', () => {
    expect(wavesIn({ ...rain, 'packets.totalAmount': '9.99' })).toEqual({
      kind: 'short',
      places: ['packets.totalAmount'],
    })
    expect(wavesIn({ ...rain, windows: [first, { ...second, totalAmount: '1' }] })).toEqual({
      kind: 'short',
      places: ['windows.1.totalAmount'],
    })
  })

  it.each([
    ['nothing is typed yet', { 'packets.totalAmount': '' }],
    ['there are no packets', { 'packets.count': '0' }],
    ['the currency is none', { currency: 'XQX' }],
    ['they are more than a sale can have', { 'packets.count': String(maxPackets + 1), 'packets.totalAmount': '99999' }],
    ['it is more money than a sale can hold', { 'packets.totalAmount': '100000000000' }],
  ])('is nothing while %s', (_name, change) => {
    expect(wavesIn({ ...rain, ...change })).toEqual({ kind: 'unknown' })
  })
})

describe('early access in the form (R6)', () => {
  const early = { 'earlyAccess.minutes': '10', 'earlyAccess.minLevel': '3' }

  it('is read as it would be typed again, and is absent where all is empty', () => {
    const definition = definitionOf({ ...typed, ...early })
    expect(definition.earlyAccess).toEqual({ minutes: 10, minLevel: 3 })
    expect(textOf(definition)).toMatchObject(early)
    expect(definitionOf(typed).earlyAccess).toBeUndefined()
  })

  it('is removed by an edit that empties it', () => {
    const before = { ...typed, ...early }
    expect(editOf(before, typed, definitionOf(typed))).toEqual({ earlyAccess: null })
  })

  it.each([
    ['earlyAccess.minutes', 'error.required', { ...early, 'earlyAccess.minutes': '' }],
    ['earlyAccess.minutes', 'error.earlyMinutes', { ...early, 'earlyAccess.minutes': '1441' }],
    ['earlyAccess.minLevel', 'error.required', { 'earlyAccess.minutes': '10' }],
    ['earlyAccess.minLevel', 'error.whole', { ...early, 'earlyAccess.minLevel': 'x' }],
  ] as const)('names %s with %s', (place, key, change) => {
    const read = readForm({ ...typed, ...change })
    expect(read.ok ? {} : read.errors).toMatchObject({ [place]: { key } })
  })
})
