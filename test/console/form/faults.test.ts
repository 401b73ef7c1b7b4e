/** The errors in the form of a sale, with their inputs and words. */
import { describe, expect, it } from 'vitest'
import { checkForm, fieldOfFault, refusedField, remainingErrors } from '../../../console/form/faults.ts'
import { fieldPaths } from '../../../console/form/fields.ts'
import { anotherWindow, type FormText, freshText } from '../../../console/form/form-text.ts'
import type { Row, TextPart } from '../../../console/parts/text-parts.ts'
import { type ProblemFacts, problem } from '../../../core/outcome.ts'
import { maxPackets } from '../../../core/packets/packets.ts'
import { sale } from '../../core/api/live-answer.ts'
import { entering, errorsIn, errorsOf, blueBowl as typed } from '../blue-bowl.ts'

type Parts = Readonly<Record<string, TextPart>>

const morning: Row = { startsAt: '2026-11-21T09:00', endsAt: '2026-11-21T10:00', stock: '30' }
const noon: Row = { startsAt: '2026-11-21T12:00', endsAt: '2026-11-21T13:00', stock: '20' }
const coupon = entering(typed, { kind: 'coupon' })
const rain = entering(typed, {
  ...{ kind: 'red-packet', 'packets.count': '1000', 'packets.totalAmount': '5000' },
})
const wave: Row = { ...morning, stock: '300', totalAmount: '1500' }
const lastWave: Row = { ...noon, stock: '200', totalAmount: '400.5' }
const twice = entering(typed, rows(morning, noon))
const waves = entering(rain, rows(wave, lastWave))
const early = entering(coupon, { 'earlyAccess.minutes': '10', 'earlyAccess.minLevel': '3' })
const sent = entering(typed, { 'delivery.countries': 'DE, AT' })
const enough = entering(rain, { 'packets.totalAmount': '20000' })
const free = { price: '0' }
const checkoutUrl = 'https://shop.example/cart'

describe('the form of a sale', () => {
  it.each<[string, FormText, string, TextPart, string]>([
    ['a stock below -1 (S4)', typed, 'stock', '-2', 'whole'],
    ['an end before the start', typed, 'endsAt', '2026-11-20T12:00', 'endsAt'],
    ['more per order than per shopper', typed, 'maxPerOrder', '3', 'maxPerOrder'],
    ['no start', typed, 'startsAt', '', 'required'],
    ['a former price that is not higher', typed, 'listPrice', '0.10', 'listPrice'],
    ['a former price of 0', typed, 'listPrice', '0', 'listPrice'],
    ['a former price that is no amount', typed, 'listPrice', '1.234', 'price'],
    ['an unknown time zone', typed, 'timeZone', 'Berlin', 'timeZone'],
    ['a ratio of four decimals', typed, 'admissionRatio', '1.2345', 'ratio'],
    ['no ratio', typed, 'admissionRatio', '', 'required'],
    ['a cost that is no amount', sent, 'delivery.costs.AT', 'x', 'price'],
    ['costs of a gift', entering(sent, free), 'delivery.costs.AT', '1', 'costs'],
    ['free delivery from an amount, where all delivery is free', sent, 'delivery.freeAbove', '50', 'freeAbove'],
    ['an unknown country', typed, 'delivery.countries', 'XX', 'countries'],
    ['a checkout without https', typed, 'checkoutUrl', 'http://a.example', 'checkoutUrl'],
    ['a checkout of a gift', entering(typed, free), 'checkoutUrl', checkoutUrl, 'checkoutFree'],
    ['a checkout with countries', entering(typed, { checkoutUrl }), 'delivery.countries', 'DE', 'checkoutCountries'],
    ['the page of another site', rain, 'allowedOrigins', 'https://a.example/page', 'origins'],
    ['a site without https', rain, 'allowedOrigins', 'http://a.example', 'origins'],
    ['a site twice', rain, 'allowedOrigins', 'https://a.example,https://a.example', 'origins'],
    ['databases that are no number', typed, 'shards', 'two', 'whole'],
    ['more databases than there can be', typed, 'shards', '65', 'whole'],
    ['several databases for any number', entering(typed, { stock: '-1' }), 'shards', '2', 'shardsUnlimited'],
    ['coupons that expire with the sale', coupon, 'coupons.validUntil', '2026-11-20T13:00', 'validUntil'],
    ['a level without minutes (R6)', early, 'earlyAccess.minutes', '', 'required'],
    ['minutes without a level (R6)', early, 'earlyAccess.minLevel', '', 'required'],
    ['more than a day of early access (R6)', early, 'earlyAccess.minutes', '1441', 'earlyMinutes'],
    ['a level that is no number (R6)', early, 'earlyAccess.minLevel', 'x', 'whole'],
    ['a window without units (R7)', twice, 'windows.1.stock', '0', 'whole'],
    ['a window without a start (R7)', twice, 'windows.0.startsAt', '', 'required'],
    ['a window that ends at its start (R7)', twice, 'windows.1.endsAt', '2026-11-21T12:00', 'endsAt'],
    ['too many windows (R7)', typed, 'windows', days(101), 'windows'],
    ['no packet', rain, 'packets.count', '0', 'whole'],
    ['half a packet', rain, 'packets.count', '1.5', 'whole'],
    ['too many packets', enough, 'packets.count', String(maxPackets + 1), 'whole'],
    ['packets of nothing', rain, 'packets.totalAmount', '', 'required'],
    ['packets of no amount', rain, 'packets.totalAmount', '1.234', 'price'],
    ['packets of too much', rain, 'packets.totalAmount', '100000000000', 'totalRange'],
    ['a wave of too little', waves, 'windows.1.totalAmount', '1', 'total'],
    ['the first wave of too little', waves, 'windows.0.totalAmount', '1', 'total'],
    ['a wave of nothing', waves, 'windows.1.totalAmount', '', 'required'],
    ['a wave without packets', waves, 'windows.0.stock', '0', 'whole'],
  ])('complains about %s at its field', (_, text, field, value, error) => {
    expect(errorsIn(entering(text, { [field]: value }))).toEqual({ [field]: `error.${error}` })
  })

  it.each<[string, FormText, Parts, Record<string, string>]>([
    [
      'every wrong field at once',
      typed,
      {
        ...{ title: ' ', price: '1.234', saleId: 'A', limitPerShopper: '0', maxPerOrder: '0' },
        'pictures.0.src': 'ftp://x',
      },
      {
        ...{ title: 'error.required', price: 'error.price', saleId: 'error.saleId' },
        ...{ 'pictures.0.src': 'error.image', limitPerShopper: 'error.whole', maxPerOrder: 'error.whole' },
      },
    ],
    [
      'an unknown currency, and every amount in it',
      typed,
      { currency: 'XQX' },
      { currency: 'error.currency', price: 'error.price', supportRefundLimit: 'error.price' },
    ],
    [
      'a former price of 0, and no price',
      typed,
      { price: '', listPrice: '0' },
      { price: 'error.required', listPrice: 'error.listPrice' },
    ],
    [
      'too long a time to pay (O8)',
      typed,
      { paymentWindowSeconds: '1441', paymentGraceSeconds: '3601' },
      { paymentWindowSeconds: 'error.minutes', paymentGraceSeconds: 'error.whole' },
    ],
    [
      'no time to pay (O8)',
      typed,
      { paymentWindowSeconds: '', paymentGraceSeconds: 'soon' },
      { paymentWindowSeconds: 'error.required', paymentGraceSeconds: 'error.whole' },
    ],
    [
      'the gate',
      typed,
      {
        ...{ admissionRatio: '0.9', minLevel: '-1', 'throttle.perIp.limit': '0', admitPerSecond: '0' },
        'throttle.perShopper.windowSeconds': '3601',
      },
      {
        ...{ admissionRatio: 'error.ratio', minLevel: 'error.whole', 'throttle.perIp.limit': 'error.whole' },
        ...{ 'throttle.perShopper.windowSeconds': 'error.whole', admitPerSecond: 'error.whole' },
      },
    ],
    [
      'half-typed dates',
      coupon,
      { 'coupons.validFrom': '?', 'coupons.validUntil': '?' },
      { 'coupons.validFrom': 'error.time', 'coupons.validUntil': 'error.time' },
    ],
    ['windows in another order (R7)', typed, rows(noon, morning), { 'windows.1.startsAt': 'error.windowOrder' }],
    ['no more windows than a sale can have (R7)', typed, rows(...days(100)), {}],
  ])('complains about %s where it is wrong', (_, text, parts, errors) => {
    expect(errorsIn(entering(text, parts))).toEqual(errors)
  })

  it('says the bounds of a number, as it is typed', () => {
    const wrong = { stock: 'x', paymentWindowSeconds: '', price: '1.234', minLevel: '-1' }
    expect(errorsOf(entering(typed, { ...wrong, paymentWindowSeconds: '1441' }))).toMatchObject({
      stock: { args: { min: 0, max: 10_000_000 } },
      minLevel: { args: { min: 0, max: 1_000_000 } },
      paymentWindowSeconds: { args: { max: 1440 } },
      price: { args: { digits: 2 } },
    })
  })

  it('wants at least one minor unit for each packet, and says how much that is', () => {
    const euros = entering(rain, { currency: 'EUR', 'packets.totalAmount': '9.99' })
    expect(errorsOf(euros)).toEqual({
      'packets.totalAmount': { key: 'error.total', args: { least: '10.00', each: '0.01', code: 'EUR' } },
    })
  })

  it('has words for what is wrong everywhere', () => {
    for (const field of fieldPaths.filter((path) => !path.includes('*'))) {
      const refused = problem('invalid-request', '', { field })
      const [error] = Object.values(refusedField(refused, entering(typed, { [field]: 'x' })) ?? {})
      if (error !== undefined) expect(error.key, field).toMatch(/^error\./)
    }
  })
})

const before = new Date(2026, 10, 20, 11).getTime()
const after = new Date(2026, 10, 20, 14).getTime()
const past = { endsAt: { key: 'error.past' } }
const noTitle = { title: { key: 'error.required' } }

it.each<[string, Parts, typeof sale | undefined, number, object]>([
  ['a valid sale', {}, undefined, before, {}],
  ['a new sale that is over', {}, undefined, after, past],
  ['an edit of a sale that is over', { title: 'Bowl' }, sale, after, {}],
  ['an edit with a new end that is over', { endsAt: '2026-11-20T13:30' }, sale, after, past],
  ['both at once', { title: '' }, undefined, after, { ...past, ...noTitle }],
  [
    'the last window of a new sale',
    rows({ ...morning, startsAt: '2026-11-20T12:00', endsAt: '2026-11-20T13:00' }),
    undefined,
    after,
    { 'windows.0.endsAt': { key: 'error.past' } },
  ],
])('an end that has passed is wrong with a new sale or a new end: %s', (_name, parts, edited, now, errors) => {
  const checked = checkForm(entering(typed, parts), typed, edited, now)
  expect(checked.ok ? {} : checked.errors).toEqual(errors)
  expect(checked.ok).toBe(Object.keys(errors).length === 0)
})

describe('a new sale', () => {
  it('has no picture until one is chosen, and says at the pictures that one is needed', () => {
    const fresh = freshText('en-GB', before)
    expect(errorsOf(fresh)).toMatchObject({
      pictures: { key: 'error.pictures', args: { max: 8 } },
      title: { key: 'error.required' },
    })
    const pictures = [{ src: '/assets/pictures/tea.svg', alt: 'A bowl' }]
    const filled = entering(fresh, { title: 'Bowl', saleId: 'bowl', description: 'Blue.', price: '10', pictures })
    const complete = checkForm(filled, fresh, undefined, before)
    expect(complete.ok && complete.definition).toMatchObject({ pictures, currency: 'EUR', spreadSeconds: 10 })
  })

  it('waits for a picture that is uploaded, and asks what it shows', () => {
    const pictures = [{ src: 'upload:1', alt: ' ' }]
    expect(errorsIn(entering(typed, { pictures }))).toEqual({
      'pictures.0.src': 'error.upload',
      'pictures.0.alt': 'error.alt',
    })
  })
})

describe('a refusal of the API', () => {
  const refuse = (field: string, facts: ProblemFacts = {}) =>
    refusedField(problem('invalid-request', '', { field, ...facts }), typed)

  it('is shown at its field, with its reason where it has one', () => {
    const values = { least: '0.50', most: '999999.99', step: '0.01', currency: 'EUR' }
    expect(refuse('price', { reason: 'amount-charged', values })).toEqual({
      price: { key: 'refusal.amount-charged', args: values },
    })
    expect(refuse('saleId', { reason: 'id-taken' })).toMatchObject({ saleId: { key: 'refusal.id-taken' } })
    expect(refuse('shards')).toMatchObject({ shards: { key: 'error.shards' } })
    expect(refuse('pictures.0.src')).toMatchObject({ 'pictures.0.src': { key: 'error.image' } })
  })

  it('has no field when it names no input, or the answer has no problem', () => {
    expect(refuse('unknown')).toBeUndefined()
    expect(refusedField(undefined, typed)).toBeUndefined()
  })

  it.each<[string, FormText, string | undefined]>([
    ['stock', typed, 'stock'],
    ['stock', entering(typed, rows(morning)), 'windows.0.stock'],
    ['windows.1.stock', twice, 'windows.1.stock'],
    ['windows', entering(typed, rows(morning)), 'windows'],
    ['windows.0', entering(typed, rows(morning)), 'windows'],
    ['delivery.countries.2', typed, 'delivery.countries'],
    ['delivery.costs.DE', typed, 'delivery.costs.DE'],
    ['delivery', typed, 'delivery.countries'],
    ['pictures.1.alts.de', typed, 'pictures.1.alts.de'],
    ['packets', rain, 'packets.count'],
    ['packets.totalAmount', rain, 'packets.totalAmount'],
    ['stock', rain, 'packets.count'],
    ['packets', entering(rain, rows(wave)), 'windows.0.stock'],
    ['packets.totalAmount', waves, 'windows.0.totalAmount'],
    ['coupons', coupon, 'coupons.validFrom'],
    ['price', coupon, undefined],
    ['kind', typed, undefined],
    ['windowsandmore', typed, undefined],
  ])('about %s is shown where that is entered', (path, text, place) => {
    expect(fieldOfFault(path, text)).toBe(place)
  })
})

describe('a complaint', () => {
  const required = { key: 'error.required' } as const

  it('leaves when its field is filled, and the others stay', () => {
    const text = entering(typed, { title: '', description: '' })
    const errors = errorsOf(text)
    expect(errors).toEqual({ title: required, description: required })
    const filled = entering(text, { title: 'Bowl' })
    expect(remainingErrors({ errors }, filled, errorsOf(filled))).toEqual({ description: required })
    const whole = entering(filled, { description: 'Blue.' })
    expect(remainingErrors({ errors }, whole, errorsOf(whole))).toEqual({})
  })

  it('leaves when another field makes it right: an earlier start, a higher limit, a first picture', () => {
    const text = entering(typed, { startsAt: '2026-11-20T13:00', maxPerOrder: '3', limitPerShopper: '1', pictures: [] })
    const errors = errorsOf(text)
    expect(Object.keys(errors).sort()).toEqual(['endsAt', 'maxPerOrder', 'pictures'])
    const { startsAt = '', pictures } = typed
    const filled = entering(text, { startsAt, pictures, limitPerShopper: '3' })
    expect(remainingErrors({ errors }, filled, errorsOf(filled))).toEqual({})
  })

  it('follows what is typed into its field, and no other field gets one before it is checked', () => {
    const text = entering(typed, { price: 'much', title: '', description: '' })
    const rest = remainingErrors({ errors: { price: required } }, text, errorsOf(text))
    expect(rest).toMatchObject({ price: { key: 'error.price', args: { digits: 2 } } })
    expect(Object.keys(rest)).toEqual(['price'])
  })

  it('that only the shop has found stays until another value stands there', () => {
    const errors = { saleId: { key: 'form.locked' }, 'pictures.0.src': { key: 'error.image' } } as const
    const other = entering(typed, { title: 'Bowl' })
    const complaints = { errors, refused: typed }
    expect(remainingErrors(complaints, other, errorsOf(other))).toEqual(errors)
    const mended = entering(other, { saleId: 'bowl-2', 'pictures.0.src': '/assets/pictures/tea.svg' })
    expect(remainingErrors(complaints, mended, errorsOf(mended))).toEqual({})
  })
})

function rows(...windows: Row[]): Parts {
  return { windows }
}

function days(count: number): Row[] {
  const windows: Row[] = [morning]
  while (windows.length < count) windows.push(anotherWindow({ ...typed, windows }))
  return windows
}
