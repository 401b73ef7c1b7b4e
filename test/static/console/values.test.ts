import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fromLocalInput,
  majorText,
  minorAmount,
  minutesText,
  secondsOfMinutes,
  slugOf,
  toLocalInput,
} from '../../../static/client/console/typed.ts'
import { editOf, type FormText, readForm, textOf } from '../../../static/client/console/values.ts'

const typed: FormText = {
  saleId: 'blue-bowl',
  title: 'Blue bowl',
  description: 'Large.',
  image: '/assets/pictures/mug.svg',
  price: '0.10',
  currency: 'cny',
  stock: '100',
  limitPerShopper: '2',
  maxPerOrder: '1',
  startsAt: '2026-11-20T12:00',
  endsAt: '2026-11-20T13:00:00',
  paymentWindowSeconds: '15',
  paymentGraceSeconds: '120',
  'throttle.perShopper.limit': '5',
  'throttle.perShopper.windowSeconds': '60',
}

function errors(change: Partial<FormText>) {
  const read = readForm({ ...typed, ...change })
  return read.ok
    ? {}
    : Object.fromEntries(Object.entries(read.errors).map(([field, error]) => [field, error.key]))
}

describe('the sale form', () => {
  it('makes a definition of what was typed', () => {
    const read = readForm(typed)
    expect(read).toMatchObject({
      ok: true,
      definition: { price: 10, currency: 'CNY', stock: 100, paymentWindowSeconds: 900, maxPerOrder: 1 },
    })
  })

  it('takes -1 for an unlimited stock and nothing below it (S4)', () => {
    expect(errors({ stock: '-1' })).toEqual({})
    expect(errors({ stock: '-2' })).toEqual({ stock: 'error.whole' })
  })

  it('marks every wrong field at once', () => {
    expect(
      errors({ title: ' ', price: '1.234', saleId: 'A', image: 'ftp://x', limitPerShopper: '0' }),
    ).toEqual({
      title: 'error.required',
      price: 'error.price',
      saleId: 'error.saleId',
      image: 'error.image',
      limitPerShopper: 'error.whole',
    })
  })

  it('wants the end after the start, and no more per order than per shopper', () => {
    expect(errors({ endsAt: '2026-11-20T12:00' })).toEqual({ endsAt: 'error.endsAt' })
    expect(errors({ maxPerOrder: '3' })).toEqual({ maxPerOrder: 'error.maxPerOrder' })
    expect(errors({ startsAt: '' })).toMatchObject({ startsAt: 'error.required' })
  })

  it('refuses a currency nobody knows', () => {
    expect(errors({ currency: 'XQX' })).toMatchObject({ currency: 'error.currency' })
  })

  it('takes minutes to pay in parts, and the grace of a payment in seconds or not at all (O8)', () => {
    const read = readForm({ ...typed, paymentWindowSeconds: '0,5', paymentGraceSeconds: '0' })
    expect(read).toMatchObject({ ok: true, definition: { paymentWindowSeconds: 30, paymentGraceSeconds: 0 } })
    expect(readForm({ ...typed, paymentGraceSeconds: ' ' })).toMatchObject({
      definition: { paymentGraceSeconds: 120 },
    })
    expect(errors({ paymentWindowSeconds: '1441', paymentGraceSeconds: '3601' })).toEqual({
      paymentWindowSeconds: 'error.minutes',
      paymentGraceSeconds: 'error.whole',
    })
    expect(errors({ paymentWindowSeconds: '', paymentGraceSeconds: 'soon' })).toEqual({
      paymentWindowSeconds: 'error.required',
      paymentGraceSeconds: 'error.whole',
    })
  })

  it('shows an existing sale as it would be typed again', () => {
    const read = readForm(typed)
    if (!read.ok) throw new Error('the typed form is valid')
    expect(readForm(textOf(read.definition))).toEqual(read)
  })
})

describe('an edit', () => {
  it('sends only what was typed anew, so a running sale keeps its finer times', () => {
    const read = readForm(typed)
    if (!read.ok) throw new Error('the typed form is valid')
    const running = { ...read.definition, startsAt: read.definition.startsAt + 123, paymentWindowSeconds: 90 }
    const before = textOf(running)
    const after = { ...before, title: 'Green bowl', 'throttle.perShopper.limit': '9' }
    const entered = readForm(after)
    if (!entered.ok) throw new Error('the edited form is valid')
    expect(editOf(before, after, entered.definition)).toEqual({
      title: 'Green bowl',
      throttle: { perShopper: { limit: 9, windowSeconds: 60 } },
    })
  })
})

describe('money as text', () => {
  it('is exact minor units, with a point or a comma', () => {
    expect(minorAmount('0.1', 'CNY')).toBe(10)
    expect(minorAmount('12,50', 'EUR')).toBe(1250)
    expect(minorAmount('500', 'JPY')).toBe(500)
    expect(minorAmount('1.005', 'KWD')).toBe(1005)
    expect(minorAmount('1.15', 'EUR')).toBe(115)
  })

  it('reads 1990 HUF as 199000 fillér, the same minor units that prices are shown in', () => {
    expect(minorAmount('1990', 'HUF')).toBe(199_000)
    expect(minorAmount('1990,50', 'HUF')).toBe(199_050)
    expect(majorText(199_000, 'HUF')).toBe('1990.00')
  })

  it('is no amount when it is anything else', () => {
    for (const text of ['', '-1', '1e3', '0x10', '1.234', '1 000', 'NaN', '1.2.3']) {
      expect(minorAmount(text, 'EUR'), text).toBeNaN()
    }
    expect(minorAmount('1.5', 'JPY')).toBeNaN()
  })

  it('comes back the same for every amount', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'HUF', 'CLF')
    fc.assert(
      fc.property(fc.nat(1_000_000_000), currency, (amount, code) => {
        expect(minorAmount(majorText(amount, code), code)).toBe(amount)
      }),
    )
  })
})

describe('minutes to pay', () => {
  it('come back the same for every second of a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400 }), (seconds) => {
        expect(secondsOfMinutes(minutesText(seconds))).toBe(seconds)
      }),
    )
  })

  it('are no number when they are anything else', () => {
    for (const text of ['', '-1', '1e3', '1.2345', '1:30', 'NaN']) {
      expect(secondsOfMinutes(text), text).toBeNaN()
    }
  })
})

describe('times in the viewer’s zone', () => {
  it('come back the same to the second', () => {
    const noon = new Date(2026, 10, 20, 12, 30, 15).getTime()
    expect(toLocalInput(noon)).toBe('2026-11-20T12:30:15')
    expect(fromLocalInput(toLocalInput(noon))).toBe(noon)
  })

  it('are no time when they are not whole', () => {
    expect(fromLocalInput('')).toBeNaN()
    expect(fromLocalInput('2026-11-20')).toBeNaN()
  })
})

describe('an id made of a title', () => {
  it('keeps letters and digits', () => {
    expect(slugOf('Café mug, №2!')).toBe('cafe-mug-no2')
    expect(slugOf('  --  ')).toBe('')
  })
})
