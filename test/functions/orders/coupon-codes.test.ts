import { describe, expect, it } from 'vitest'
import { readCoupon } from '../../../core/orders/coupon.ts'
import { generateCoupons } from '../../../functions/orders/new-order.ts'

describe('coupons from the system’s random source', () => {
  it('are as many as requested, and 200,000 of them are all different (S7)', () => {
    const codes = Array.from({ length: 200 }, () => generateCoupons(1000)).flat()
    expect(codes).toHaveLength(200_000)
    expect(new Set(codes).size).toBe(200_000)
    expect(codes.every((code) => readCoupon(code) === code)).toBe(true)
    expect(generateCoupons(1)).toHaveLength(1)
  })

  it('have every letter of the alphabet with equal frequency at every position', () => {
    const codes = generateCoupons(32_000)
    for (let place = 0; place < 20; place += 1) {
      const counts = new Map<string, number>()
      for (const code of codes) counts.set(code.charAt(place), (counts.get(code.charAt(place)) ?? 0) + 1)
      expect(counts.size).toBe(32)
      // A thousand each; six standard deviations are 187. All 640 counts stay within with all but one in a million runs.
      for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(187)
    }
  })
})
