import { describe, expect, it } from 'vitest'
import { formatMoney, isCurrency, minorDigits, priceOf } from '../../core/money.ts'

describe('money', () => {
  it('multiplies exactly in minor units and refuses what it cannot hold', () => {
    expect(priceOf(3, 10)).toBe(30)
    expect(() => priceOf(Number.MAX_SAFE_INTEGER, 2)).toThrow(RangeError)
  })

  it.each([
    ['CNY', 2],
    ['JPY', 0],
    ['KWD', 3],
  ])('knows the minor digits of %s', (currency, digits) => {
    expect(minorDigits(currency)).toBe(digits)
  })

  it('shows ¥0.10, the price of the reference sale, in both languages (L5)', () => {
    expect(formatMoney({ amount: 10, currency: 'CNY' }, 'zh-CN')).toBe('¥0.10')
    expect(formatMoney({ amount: 10, currency: 'CNY' }, 'en')).toBe('CN¥0.10')
  })

  it('refuses codes that are not currencies', () => {
    expect(['CNY', 'EUR', 'XXZ', 'eur', ''].map(isCurrency)).toEqual([true, true, false, false, false])
  })
})
