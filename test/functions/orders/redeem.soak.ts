import { describe, expect, it } from 'vitest'
import { playRedemptions } from './redeem-play.ts'

describe('4,000 coupons under faults', () => {
  it.each([1, 2, 3])('are each redeemed once, with seed %i (S7, I5)', async (seed) => {
    const { violations, seen, codes, standing } = await playRedemptions(4000, seed)
    expect(violations).toEqual([])
    expect(codes).toBe(4000)
    expect(standing).toBe(seen.redeemed - seen.undone)
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(100)
  })
})
