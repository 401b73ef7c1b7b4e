import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followMs } from '../../../core/packets/wallet-poll.ts'
import { follower } from '../../../static/client/packets/follow-credit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A wallet in which the credit is found by the look number `found`; each look takes 50 ms, where the shop holds it 3.4 s. */
function wallet(found: number, holds = false) {
  const seen = { looks: [] as number[], gaveUp: 0 }
  const startedAt = Date.now()
  const follow = follower({
    async look(held) {
      seen.looks.push(Date.now() - startedAt)
      const there = seen.looks.length >= found
      const heldMs = holds && !there ? 3400 : 50
      const answer = () => new Promise((resolve) => setTimeout(resolve, held ? heldMs : 50))
      await (held?.ask(async () => {
        await answer()
        return { kind: 'ok', status: 200, body: undefined, headers: new Headers() }
      }) ?? answer())
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
  it('asks after 1.7 s and then once in five, where the shop holds the request, for half a minute (N9)', async () => {
    const { follow, seen } = wallet(3, true)
    follow.begin()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual({ looks: [1700, 6850, 12_000], gaveUp: 0 })
    const never = wallet(Number.POSITIVE_INFINITY, true)
    never.follow.begin()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(never.seen).toEqual({ looks: [1700, 6850, 12_000, 17_150, 22_300, 27_450], gaveUp: 1 })
  })

  it('polls ever less often where the shop holds nothing, and stops once it is there', async () => {
    const { follow, seen } = wallet(3)
    follow.begin()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual({ looks: [1700, 2750, 4300], gaveUp: 0 })
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
    await vi.advanceTimersByTimeAsync(1720)
    follow.begin()
    await vi.advanceTimersByTimeAsync(2000)
    expect(seen.looks).toEqual([1700, 3420])
  })

  it('never sends the winners of one second into the wallet in the same instant (L1)', () => {
    expect([0, 0.5, 0.999].map((random) => followMs(0, random))).toEqual([595, 700, 805])
    expect(followMs(99, 0.5)).toBeUndefined()
  })
})
