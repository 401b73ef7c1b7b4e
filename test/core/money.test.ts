import { describe, expect, it } from 'vitest'
import { formatMoney, isCurrency, minorDigits, priceOf, withSign } from '../../core/money.ts'

describe('money', () => {
  it('multiplies exactly in minor units and refuses an overflow', () => {
    expect(priceOf(3, 10)).toBe(30)
    expect(() => priceOf(Number.MAX_SAFE_INTEGER, 2)).toThrow(RangeError)
  })

  it.each([
    ['CNY', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
  ])('knows the minor digits of %s', (currency, digits) => {
    expect(minorDigits(currency)).toBe(digits)
  })

  it('shows ¥0.10, the price of the reference sale, in both languages (L5)', () => {
    expect(formatMoney({ amount: 10, currency: 'CNY' }, 'zh-CN')).toBe('¥0.10')
    expect(formatMoney({ amount: 10, currency: 'CNY' }, 'en')).toBe('CN¥0.10')
  })

  it('keeps the sign of a currency behind its letters, and a sign beside its number, from right to left', () => {
    // Marks: of the text from right to left, behind the letters, and around the number.
    const [toLeft, toRight, isolate, end] = ['\u200f', '\u200e', '\u2066', '\u2069']
    const dollars = formatMoney({ amount: 1221, currency: 'USD' }, 'ar')
    expect(dollars).toBe(`${toLeft}12.21\u00a0US$${toRight}`)
    expect(withSign('+', dollars)).toBe(`${toLeft}${isolate}+12.21${end}\u00a0US$${toRight}`)
    expect(formatMoney({ amount: 1221, currency: 'EUR' }, 'ar')).toBe(`${toLeft}12.21\u00a0€`)
    const dinar = formatMoney({ amount: 1221, currency: 'KWD' }, 'ar-EG')
    expect(withSign('−', dinar)).toContain(`${isolate}−١٫٢٢١${end}`)
    expect(withSign('−', '12,21\u00a0€')).toBe('−12,21\u00a0€')
  })

  it('shows 199000 HUF as 1,990.00, not a hundred times that: ISO 4217 counts, not what Intl would show', () => {
    const shown = (amount: number, currency: string) => formatMoney({ amount, currency }, 'en').replace(/[^\d.,]/g, '')
    for (const currency of ['HUF', 'COP', 'IDR', 'PKR', 'TWD']) {
      expect(shown(199_000, currency), currency).toBe('1,990.00')
    }
    expect(shown(1990, 'JPY')).toBe('1,990')
    expect(shown(1_990_001, 'KWD')).toBe('1,990.001')
    expect(shown(19_900_001, 'CLF')).toBe('1,990.0001')
  })

  it('refuses codes that are not currencies', () => {
    expect(['CNY', 'EUR', 'XXZ', 'eur', ''].map(isCurrency)).toEqual([true, true, false, false, false])
  })
})
