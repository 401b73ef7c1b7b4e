import { describe, expect, it } from 'vitest'
import { playRedemptions } from './redeem-play.ts'

describe('ten thousand coupons under faults', () => {
  it.each([1, 2, 3])('are each redeemed once, with seed %i (S7, I5)', async (seed) => {
    const { violations, seen, codes, standing } = await playRedemptions(10_000, seed)
    expect(violations).toEqual([])
    expect(codes).toBe(10_000)
    expect(standing).toBe(seen.redeemed - seen.undone)
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(100)
  })
})
