import { describe, expect, it } from 'vitest'
import { validityOf } from '../../../static/orders/coupons.ts'

describe('when coupons can be redeemed', () => {
  it('is said with the bounds that there are', () => {
    const bounds = [{}, { validFrom: 1 }, { validUntil: 2 }, { validFrom: 1, validUntil: 2 }]
    expect(bounds.map((bound) => validityOf(bound, 'fulfilled'))).toEqual([
      'coupon.always',
      'coupon.from',
      'coupon.until',
      'coupon.between',
    ])
  })

  it('is said plainly once it is over', () => {
    expect(validityOf({ validUntil: 2 }, 'expired')).toBe('coupon.expired')
    expect(validityOf({ validFrom: 1, validUntil: 2 }, 'expired')).toBe('coupon.expired')
  })
})
