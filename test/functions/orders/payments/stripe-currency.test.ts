import { describe, expect, it } from 'vitest'
import { fromStripe, stripeLimits, toStripe } from '../../../../functions/orders/payments/stripe-currency.ts'

describe('amounts of Stripe', () => {
  it.each([
    ['EUR', 1234, 1234],
    ['HUF', 199_000, 199_000],
    ['TWD', 5_000, 5_000],
    ['JPY', 500, 500],
    ['KWD', 5_120, 5_120],
    ['ISK', 5, 500],
    ['UGX', 5, 500],
    ['MGA', 500, 5],
  ])('count %s: %d of ours are %d of theirs', (currency, amount, theirs) => {
    expect(toStripe({ amount, currency })).toEqual({ amount: theirs, currency: currency.toLowerCase() })
    expect(fromStripe(theirs, currency.toLowerCase())).toEqual({ amount, currency })
  })

  it.each([
    ['EUR', 50, 99_999_999],
    ['GBP', 30, 99_999_999],
    ['JPY', 50, 99_999_999],
    ['HUF', 17_500, 99_999_999],
    ['CNY', 1, 99_999_999],
    ['IDR', 50, 999_999_999_999],
    ['KWD', 10, 99_999_990],
    ['ISK', 1, 999_999],
    ['MGA', 100, 9_999_999_900],
  ])('have limits in %s: %d to %d of ours, which it can charge', (currency, least, most) => {
    expect(stripeLimits(currency)).toMatchObject({ min: least, max: most })
    expect(() => [least, most].map((amount) => toStripe({ amount, currency }))).not.toThrow()
  })

  it.each([
    ['KWD', 5_124],
    ['MGA', 501],
    ['ISK', Number.MAX_SAFE_INTEGER],
  ])('cannot be %s %d', (currency, amount) => {
    expect(() => toStripe({ amount, currency })).toThrow(RangeError)
  })
})
