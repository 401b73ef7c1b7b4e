import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followMs } from '../../../core/packets/wallet-poll.ts'
import { follower } from '../../../static/client/packets/follow-credit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A wallet in which the credit is found by the look number `found`; each look takes 50 ms. */
function wallet(found: number) {
  const seen = { looks: [] as number[], gaveUp: 0 }
  const startedAt = Date.now()
  const follow = follower({
    async look() {
      seen.looks.push(Date.now() - startedAt)
      const there = seen.looks.length >= found
      await new Promise((resolve) => setTimeout(resolve, 50))
      return there
    },
    gaveUp() {
      seen.gaveUp += 1
    },
    random: () => 0.5,
  })
  return { follow, seen }
}

describe('following a credit into the wallet', () => {
  it('looks after 0.7 s, 1 s, 1.5 s and ever less often, and stops once it is there', async () => {
    const { follow, seen } = wallet(3)
    follow.begin()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual({ looks: [700, 1750, 3300], gaveUp: 0 })
  })

  it('gives up after about half a minute, once', async () => {
    const { follow, seen } = wallet(Number.POSITIVE_INFINITY)
    follow.begin()
    await vi.advanceTimersByTimeAsync(28_000)
    expect(seen.gaveUp).toBe(0)
    await vi.advanceTimersByTimeAsync(4000)
    expect(seen.gaveUp).toBe(1)
    const { length } = seen.looks
    await vi.advanceTimersByTimeAsync(600_000)
    expect(seen.looks).toHaveLength(length)
  })

  it('begins anew for another tap, and never follows twice at once', async () => {
    const { follow, seen } = wallet(Number.POSITIVE_INFINITY)
    follow.begin()
    await vi.advanceTimersByTimeAsync(720)
    follow.begin()
    await vi.advanceTimersByTimeAsync(1500)
    expect(seen.looks).toEqual([700, 1420])
  })

  it('never sends the winners of one second into the wallet in the same instant (L1)', () => {
    expect([0, 0.5, 0.999].map((random) => followMs(0, random))).toEqual([595, 700, 805])
    expect(followMs(99, 0.5)).toBeUndefined()
  })
})
