/** Deterministic coupon codes for tests. */
import { type CouponCode, couponBytes, couponOf } from '../../../core/orders/coupon.ts'
import type { MakeCoupons } from '../../../functions/orders/new-order.ts'

/** Returns code number `n`, below 2^32. */
export function couponCodeOf(n: number): CouponCode {
  const bytes = new Uint8Array(couponBytes)
  new DataView(bytes.buffer).setUint32(8, n)
  return couponOf(bytes)
}

/** Returns a generator of code 1, code 2, and so on. */
export function countedCoupons(): MakeCoupons {
  let drawn = 0
  return (quantity) =>
    Array.from({ length: quantity }, () => {
      drawn += 1
      return couponCodeOf(drawn)
    })
}

/** For sales without coupons: throws. */
export const noCoupons: MakeCoupons = () => {
  throw new Error('only an order of coupons draws codes')
}
