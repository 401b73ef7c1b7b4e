import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../../../core/ids.ts'
import { majorText, minorAmount } from '../../../../core/money.ts'
import { defaultThrottle, type SaleDefinition } from '../../../../core/sale/sale.ts'
import { placeOf } from '../../../../static/client/console/form/field-errors.ts'
import { type FormText, ownWindowText } from '../../../../static/client/console/form/form-text.ts'
import { editOf, textOf } from '../../../../static/client/console/form/values.ts'
import { nextWindowText, type WindowText } from '../../../../static/client/console/form/window-text.ts'
import {
  dayLater,
  decimalNumber,
  fromLocalInput,
  idOfCopy,
  minutesText,
  secondsOfMinutes,
  suggestedId,
  toLocalInput,
  typedAmount,
  wholeNumber,
} from '../../../../static/client/console/lib/typed.ts'
import { definitionOf, errorsIn, blueBowl as typed } from '../blue-bowl.ts'

const morning: WindowText = { startsAt: '2026-11-21T09:00', endsAt: '2026-11-21T10:00', stock: '30', totalAmount: '' }
const noon: WindowText = { startsAt: '2026-11-21T12:00', endsAt: '2026-11-21T13:00', stock: '20', totalAmount: '' }

describe('the sale form', () => {
  it('makes a definition of what was typed', () => {
    const { price, currency, stock, paymentWindowSeconds, maxPerOrder } = definitionOf(typed)
    expect({ price, currency, stock, paymentWindowSeconds, maxPerOrder }).toEqual({
      ...{ price: 10, currency: 'CNY', stock: 100, paymentWindowSeconds: 900, maxPerOrder: 1 },
    })
  })

  it.each<[string, Partial<FormText>, Partial<SaleDefinition>]>([
    ['an unlimited stock (S4)', { stock: '-1' }, { stock: -1 }],
    [
      'minutes to pay in parts, and no grace of a payment (O8)',
      { paymentWindowSeconds: '0,5', paymentGraceSeconds: '0' },
      { paymentWindowSeconds: 30, paymentGraceSeconds: 0 },
    ],
    ['the usual grace of a payment', { paymentGraceSeconds: ' ' }, { paymentGraceSeconds: 120 }],
    [
      'the gate of the sale (R2-R6, G5)',
      { admissionRatio: '1,25', minLevel: '3', challenge: 'pow', 'throttle.perIp.limit': '900' },
      {
        ...{ admissionRatio: 1.25, minLevel: 3, challenge: 'pow' },
        throttle: { ...defaultThrottle, perIp: { limit: 900, windowSeconds: 60 } },
      },
    ],
  ])('reads %s', (_, change, expected) => {
    expect(definitionOf({ ...typed, ...change })).toMatchObject(expected)
  })

  it.each<[string, Partial<FormText>, Record<string, string>]>([
    ['a stock below -1 (S4)', { stock: '-2' }, { stock: 'error.whole' }],
    [
      'every wrong field at once',
      {
        ...{ title: ' ', price: '1.234', saleId: 'A', limitPerShopper: '0' },
        pictures: [{ src: 'ftp://x', alt: 'The product' }],
      },
      {
        ...{ title: 'error.required', price: 'error.price', saleId: 'error.saleId' },
        ...{ 'pictures.0.src': 'error.image', limitPerShopper: 'error.whole' },
      },
    ],
    ['an end before the start', { endsAt: '2026-11-20T12:00' }, { endsAt: 'error.endsAt' }],
    ['more per order than per shopper', { maxPerOrder: '3' }, { maxPerOrder: 'error.maxPerOrder' }],
    ['no start', { startsAt: '' }, { startsAt: 'error.required' }],
    [
      'an unknown currency, and every amount in it',
      { currency: 'XQX' },
      { currency: 'error.currency', price: 'error.price', supportRefundLimit: 'error.price' },
    ],
    [
      'too long a time to pay (O8)',
      { paymentWindowSeconds: '1441', paymentGraceSeconds: '3601' },
      { paymentWindowSeconds: 'error.minutes', paymentGraceSeconds: 'error.whole' },
    ],
    [
      'no time to pay (O8)',
      { paymentWindowSeconds: '', paymentGraceSeconds: 'soon' },
      { paymentWindowSeconds: 'error.required', paymentGraceSeconds: 'error.whole' },
    ],
    [
      'the gate',
      {
        ...{ admissionRatio: '0.9', minLevel: '-1', 'throttle.perIp.limit': '0', admitPerSecond: '0' },
        'throttle.perShopper.windowSeconds': '3601',
      },
      {
        ...{ admissionRatio: 'error.ratio', minLevel: 'error.whole', 'throttle.perIp.limit': 'error.whole' },
        ...{ 'throttle.perShopper.windowSeconds': 'error.whole', admitPerSecond: 'error.whole' },
      },
    ],
    ['a ratio of four decimals', { admissionRatio: '1.2345' }, { admissionRatio: 'error.ratio' }],
    ['no ratio', { admissionRatio: '' }, { admissionRatio: 'error.required' }],
    [
      'a window without units (R7)',
      { windows: [morning, { ...noon, stock: '0' }] },
      { 'windows.1.stock': 'error.whole' },
    ],
    [
      'a window without a start (R7)',
      { windows: [{ ...morning, startsAt: '' }, noon] },
      { 'windows.0.startsAt': 'error.required' },
    ],
    [
      'a window that ends at its start (R7)',
      { windows: [morning, { ...noon, endsAt: noon.startsAt }] },
      { 'windows.1.endsAt': 'error.endsAt' },
    ],
    ['windows in another order (R7)', { windows: [noon, morning] }, { 'windows.1.startsAt': 'error.windowOrder' }],
    ['too many windows (R7)', { windows: manyWindows(101) }, { windows: 'error.windows' }],
    ['no more windows than a sale can have (R7)', { windows: manyWindows(100) }, {}],
  ])('complains about %s where it is wrong', (_, change, expected) => {
    expect(errorsIn({ ...typed, ...change })).toEqual(expected)
  })

  it.each([
    ['without windows', typed],
    ['with windows', { ...typed, windows: [morning, noon] }],
  ])('shows an existing sale %s as it would be typed again', (_name, text) => {
    const definition = definitionOf(text)
    expect(definitionOf(textOf(definition))).toEqual(definition)
  })
})

describe('the windows of a sale in its form (R7)', () => {
  it('say when the sale starts, when it ends and with how many units', () => {
    const definition = definitionOf({ ...typed, stock: 'what the hidden field says', windows: [morning, noon] })
    const [first, second] = definition.windows
    expect(definition).toMatchObject({ ...first, stock: 30 })
    expect(second).toEqual({
      startsAt: fromLocalInput(noon.startsAt, undefined),
      endsAt: fromLocalInput(noon.endsAt, undefined),
      stock: 20,
    })
  })

  it('begin with the sale as it stands, and go on a day later with the same hours and units', () => {
    const first = nextWindowText([], { ...morning, stock: '-1' }, undefined)
    expect(first).toEqual({ ...morning, stock: '' })
    expect(nextWindowText([morning], ownWindowText(typed), undefined)).toEqual({
      startsAt: '2026-11-22T09:00',
      endsAt: '2026-11-22T10:00',
      stock: '30',
      totalAmount: '',
    })
  })

  it('take what the API says of the sale’s own start, end and stock to the first of them', () => {
    const text = { ...typed, windows: [morning, noon] }
    expect(placeOf('stock', text)).toBe('windows.0.stock')
    expect(placeOf('windows.1.stock', text)).toBe('windows.1.stock')
    expect(placeOf('windows', text)).toBe('windows')
    expect(placeOf('stock', typed)).toBe('stock')
    expect(placeOf('kind', text)).toBeUndefined()
    expect(placeOf('slotsandmore', text)).toBeUndefined()
  })
})

describe('an edit', () => {
  it('sends only what was typed anew, so a running sale keeps its finer times', () => {
    const definition = definitionOf(typed)
    const running = { ...definition, startsAt: definition.startsAt + 123, paymentWindowSeconds: 90 }
    const before = textOf(running)
    const after = { ...before, title: 'Green bowl', 'throttle.perShopper.limit': '9' }
    const entered = definitionOf(after)
    expect(editOf(before, after, entered)).toEqual({
      title: 'Green bowl',
      throttle: { ...defaultThrottle, perShopper: { limit: 9, windowSeconds: 60 } },
    })
  })

  it('of the windows says anew when the sale starts, when it ends and with how many units (R7)', () => {
    const definition = definitionOf(typed)
    const before = textOf(definition)
    const after = { ...before, windows: [morning] }
    const entered = definitionOf(after)
    const [first] = entered.windows
    expect(editOf(before, after, entered)).toEqual({ windows: [first], ...first })
    const back = definitionOf({ ...after, windows: [] })
    const { startsAt, endsAt, stock } = definition
    expect(editOf(after, before, back)).toEqual({ windows: [], startsAt, endsAt, stock })
  })

  it('of another field leaves the windows and what follows from them alone', () => {
    const definition = definitionOf({ ...typed, windows: [morning, noon] })
    const second = { ...definition, ...definition.windows[1] }
    const before = textOf(second)
    const entered = definitionOf({ ...before, minLevel: '2' })
    expect(editOf(before, { ...before, minLevel: '2' }, entered)).toEqual({ minLevel: 2 })
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
    expect(toLocalInput(noon, undefined)).toBe('2026-11-20T12:30:15')
    expect(fromLocalInput(toLocalInput(noon, undefined), undefined)).toBe(noon)
  })

  it('are written as browsers give them back, so that a field nobody touched is no change', () => {
    expect(toLocalInput(new Date(2026, 10, 20, 12, 30, 0).getTime(), undefined)).toBe('2026-11-20T12:30')
    expect(toLocalInput(new Date(2026, 10, 20, 12, 0, 0).getTime(), undefined)).toBe('2026-11-20T12:00')
  })

  it('are no time when they are not whole', () => {
    expect(fromLocalInput('', undefined)).toBeNaN()
    expect(fromLocalInput('2026-11-20', undefined)).toBeNaN()
  })
})

describe('the same time a day later', () => {
  it('is no time of none', () => {
    expect(dayLater('2026-12-31T09:30:15', undefined)).toBe('2027-01-01T09:30:15')
    expect(dayLater('soon', undefined)).toBe('')
  })
})

describe('a number with decimals', () => {
  it('has a point or a comma', () => {
    expect(decimalNumber(' 1.25 ')).toBe(1.25)
    expect(decimalNumber('1,2')).toBe(1.2)
    // As an East Asian or Arabic keyboard types it, and as it is pasted from a table.
    expect(decimalNumber('１．２５')).toBe(1.25)
    expect([wholeNumber('１００'), wholeNumber('\u200e١٠٠'), secondsOfMinutes('\ufeff１５')]).toEqual([100, 100, 900])
    expect([typedAmount('１２．５０', 'ｅｕｒ'), wholeNumber('一百')]).toEqual([1250, Number.NaN])
    for (const text of ['', '-1', '1e3', '1.', '.5', '1.2.3']) expect(decimalNumber(text), text).toBeNaN()
  })
})

describe('an id made of a title', () => {
  it('keeps letters and digits', () => {
    const day = new Date(2031, 5, 7)
    expect(suggestedId('Café mug, №2!', day)).toBe('cafe-mug-no2')
    expect(suggestedId('  ', day)).toBe('')
  })

  it('is the day and the time where the title has too few letters for one: two sales of a day differ', () => {
    const now = new Date(2031, 5, 7, 8, 9, 10)
    for (const title of ['手工陶杯', ' -- ', 'A 杯']) {
      expect(suggestedId(title, now)).toBe('sale-20310607-080910')
    }
  })
})

describe('the id of a copy', () => {
  const now = new Date(2031, 5, 7, 8, 9, 10)

  it.each([
    ['mug', 'mug-20310607-080910'],
    ['phone-15', 'phone-15-20310607-080910'],
    ['mug-20301231-235959', 'mug-20310607-080910'],
    ['a'.repeat(40), `${'a'.repeat(24)}-20310607-080910`],
    [`${'a'.repeat(23)}-bb`, `${'a'.repeat(23)}-20310607-080910`],
  ])('of %s is %s', (saleId, next) => {
    expect(idOfCopy(saleId, now)).toBe(next)
    expect(parseSaleId(next)).toBe(next)
  })

  it('is another one for each sale copied from the same one', () => {
    const later = new Date(2031, 5, 7, 8, 9, 11)
    expect(idOfCopy('weekly-mug', later)).not.toBe(idOfCopy('weekly-mug', now))
  })
})

function manyWindows(count: number): WindowText[] {
  const windows: WindowText[] = []
  while (windows.length < count) windows.push(nextWindowText(windows, morning, undefined))
  return windows
}
