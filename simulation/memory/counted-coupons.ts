/** Codes of coupons for tests: the same ones in every run, or none at all. */
import { type CouponCode, couponBytes, couponOf } from '../../core/coupon.ts'
import type { DrawCoupons } from '../../functions/orders/new-order.ts'

/** Code number `n`, below 2^32. */
export function codeOf(n: number): CouponCode {
  const bytes = new Uint8Array(couponBytes)
  new DataView(bytes.buffer).setUint32(8, n)
  return couponOf(bytes)
}

/** Draws code number 1, then 2, and so on. */
export function countedCoupons(): DrawCoupons {
  let drawn = 0
  return (quantity) =>
    Array.from({ length: quantity }, () => {
      drawn += 1
      return codeOf(drawn)
    })
}

/** For sales that have none: drawing one is a mistake. */
export const noCoupons: DrawCoupons = () => {
  throw new Error('only an order of coupons draws codes')
}
