import { describe, expect, it } from 'vitest'
import { formatSums } from '../../../core/money.ts'
import { allPrices, priceIn } from '../../../core/sale/prices.ts'
import { saleEdit } from '../../../core/sale/sale.ts'
import { edit } from '../../../functions/control/steps.ts'
import { aSale } from '../../redis/support.ts'

const mug = { price: 1990, currency: 'EUR', prices: { USD: 2190, JPY: 3300 } }

describe('a sale with prices in several currencies', () => {
  it('has each of them, its own first and the others by their codes, and an order of an earlier version in a currency without a price is in its own', () => {
    expect(allPrices(mug)).toEqual([
      { amount: 1990, currency: 'EUR' },
      { amount: 3300, currency: 'JPY' },
      { amount: 2190, currency: 'USD' },
    ])
    expect(priceIn(mug, 'JPY')).toEqual({ amount: 3300, currency: 'JPY' })
    for (const chosen of [undefined, 'EUR', 'GBP'])
      expect(priceIn(mug, chosen)).toEqual({ amount: 1990, currency: 'EUR' })
    expect(priceIn({ price: 5, currency: 'CNY' }, 'USD')).toEqual({ amount: 5, currency: 'CNY' })
  })

  it('changes and loses them until it is started, and no more then', () => {
    const draft = aSale({ ...mug, epoch: 0, flag: 'off', startToken: null })
    const without = edit(draft, 0, saleEdit.parse({ prices: null }))
    expect(JSON.parse(JSON.stringify(without)).sale).not.toHaveProperty('prices')
    const running = aSale({ ...mug, epoch: 1, flag: 'on' })
    for (const prices of [null, { USD: 1 }])
      expect(edit(running, 0, saleEdit.parse({ prices }))).toMatchObject({
        reason: 'field-locked',
        field: 'prices',
      })
  })
})

describe('sums of several currencies', () => {
  it('stand side by side and are never added up', () => {
    const sums = { EUR: 199_000, USD: 2190 }
    expect(formatSums(sums, 'en', 'conjunction')).toBe('€1,990.00 and $21.90')
    expect(formatSums(sums, 'de', 'disjunction')).toBe('1.990,00\u00a0€ oder 21,90\u00a0$')
    expect(formatSums({}, 'en', 'conjunction')).toBe('')
  })
})
