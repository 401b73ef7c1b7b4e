/** Coupon codes for tests: the same in every run. */
import { type CouponCode, couponBytes, couponOf } from '../../../core/orders/coupon.ts'
import type { MakeCoupons } from '../../../functions/orders/new-order.ts'

/** Code number `n`, below 2^32. */
export function codeOf(n: number): CouponCode {
  const bytes = new Uint8Array(couponBytes)
  new DataView(bytes.buffer).setUint32(8, n)
  return couponOf(bytes)
}

/** Draws code number 1, then 2, and so on. */
export function countedCoupons(): MakeCoupons {
  let drawn = 0
  return (quantity) =>
    Array.from({ length: quantity }, () => {
      drawn += 1
      return codeOf(drawn)
    })
}

/** For sales without coupons: drawing a code is an error. */
export const noCoupons: MakeCoupons = () => {
  throw new Error('only an order of coupons draws codes')
}
