import { expect, it } from 'vitest'
import { playRedemptions } from './redeem-play.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

it(`4,000 coupons under faults are each redeemed once, with seed ${seed} (S7, I5)`, async () => {
  const { violations, seen, codes, standing } = await playRedemptions(4000, seed)
  expect(violations).toEqual([])
  expect(codes).toBe(4000)
  expect(standing).toBe(seen.redeemed - seen.undone)
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(100)
}, 600_000)
