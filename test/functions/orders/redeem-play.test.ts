import { describe, expect, it } from 'vitest'
import { playRedemptions } from './redeem-play.ts'

describe('coupons under faults', () => {
  it('are each redeemed once, also when requests are lost, repeated or late (S7, I5)', async () => {
    const seed = Math.floor(Math.random() * 1e6)
    const { violations, seen, codes } = await playRedemptions(200, seed)
    expect(violations, `seed ${seed}`).toEqual([])
    expect(codes).toBe(200)
    for (const [what, times] of Object.entries(seen)) expect(times, `${what}, seed ${seed}`).toBeGreaterThan(0)
  })
})
