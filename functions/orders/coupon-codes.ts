/**
 * Draws coupon codes from the system's random source. Nothing checks that codes differ, because two equal ones are too
 * improbable: by the birthday bound, n codes of b random bits hold a pair with a probability of at most n (n - 1) /
 * 2^(b + 1). For the largest sale, n = 10,000,000, and b = 100 that is 10^14 / 2^101 = 4 * 10^-17.
 */
import { randomBytes } from 'node:crypto'
import { couponBytes, couponOf } from '../../core/orders/coupon.ts'
import type { DrawCoupons } from './new-order.ts'

export const newCoupons: DrawCoupons = (quantity) => {
  const bytes = randomBytes(quantity * couponBytes)
  return Array.from({ length: quantity }, (_, index) =>
    couponOf(bytes.subarray(index * couponBytes, (index + 1) * couponBytes)),
  )
}
