/** Numbers, amounts, times and ids as a marketer types them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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
} from '../../../console/parts/typed.ts'
import { parseSaleId } from '../../../core/ids.ts'
import { majorText, minorAmount } from '../../../core/money.ts'

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

  it('are written as browsers give them back, so that an untouched field is not a change', () => {
    expect(toLocalInput(new Date(2026, 10, 20, 12, 30, 0).getTime(), undefined)).toBe('2026-11-20T12:30')
    expect(toLocalInput(new Date(2026, 10, 20, 12, 0, 0).getTime(), undefined)).toBe('2026-11-20T12:00')
  })

  it('are no time when they are not whole', () => {
    expect(fromLocalInput('', undefined)).toBeNaN()
    expect(fromLocalInput('2026-11-20', undefined)).toBeNaN()
  })
})

it('the same time a day later is no time of none', () => {
  expect(dayLater('2026-12-31T09:30:15', undefined)).toBe('2027-01-01T09:30:15')
  expect(dayLater('soon', undefined)).toBe('')
})

it('a number with decimals has a point or a comma', () => {
  expect(decimalNumber(' 1.25 ')).toBe(1.25)
  expect(decimalNumber('1,2')).toBe(1.2)
  // Digits from an East Asian or Arabic keyboard, and pasted from a table.
  expect(decimalNumber('１．２５')).toBe(1.25)
  expect([wholeNumber('１００'), wholeNumber('\u200e١٠٠'), secondsOfMinutes('\ufeff１５')]).toEqual([100, 100, 900])
  expect([typedAmount('１２．５０', 'ｅｕｒ'), wholeNumber('一百')]).toEqual([1250, Number.NaN])
  for (const text of ['', '-1', '1e3', '1.', '.5', '1.2.3']) expect(decimalNumber(text), text).toBeNaN()
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
