import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextWalletPollMs } from '../../core/packets/wallet-poll.ts'
import { followCredit } from '../../static/follow-credit.ts'
import { saleIdOf } from '../redis/support.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A wallet in which the credit is found by the read number `found`; a held read takes `heldMs`, undefined where it is refused. */
function follow(found: number, heldMs: number | undefined) {
  const seen = { reads: [] as [at: number, path: string][], gaveUp: 0 }
  const startedAt = Date.now()
  followCredit({
    saleId: saleIdOf('rain'),
    async read(path) {
      seen.reads.push([Date.now() - startedAt, path])
      const isHeld = path.startsWith('/api/credit')
      await new Promise((resolve) => setTimeout(resolve, isHeld ? (heldMs ?? 50) : 50))
      if (isHeld && heldMs === undefined) return { kind: 'lost' }
      return { kind: 'ok', status: 200, body: {}, headers: new Headers() }
    },
    isThere: () => seen.reads.length >= found,
    gaveUp() {
      seen.gaveUp += 1
    },
    random: () => 0.5,
  })
  return seen
}

const credit = '/api/credit?sale=rain'
const wallet = '/api/wallet'

describe('following a credit into the wallet', () => {
  it('asks with requests that the shop holds, once in five seconds, and stops once it is there', async () => {
    const seen = follow(2, 3400)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual({
      reads: [
        [1700, credit],
        [6850, credit],
      ],
      gaveUp: 0,
    })
  })

  it('polls a shop that holds none at growing intervals', async () => {
    const seen = follow(4, undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen.reads).toEqual([
      [1700, credit],
      [1750, wallet],
      [2500, wallet],
      [3550, wallet],
    ])
  })

  it.each([
    ['that was held', 3400],
    ['that was polled', undefined],
  ])('gives one up %s after about half a minute, once', async (_, heldMs) => {
    const seen = follow(Number.POSITIVE_INFINITY, heldMs)
    await vi.advanceTimersByTimeAsync(27_000)
    expect(seen.gaveUp).toBe(0)
    await vi.advanceTimersByTimeAsync(8000)
    expect(seen.gaveUp).toBe(1)
    const { length } = seen.reads
    await vi.advanceTimersByTimeAsync(600_000)
    expect(seen.reads).toHaveLength(length)
  })

  it('never sends the winners of one second into the wallet in the same instant (L1)', () => {
    expect([0, 0.5, 0.999].map((random) => nextWalletPollMs(0, random))).toEqual([595, 700, 805])
    expect(nextWalletPollMs(99, 0.5)).toBeUndefined()
  })
})
