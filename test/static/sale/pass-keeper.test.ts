import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../../core/ids.ts'
import type { Countdown } from '../../../core/sale/pointer.ts'
import { passKeeper } from '../../../static/client/sale/pass.ts'

const saleId = parseSaleId('mug')
if (saleId === undefined) throw new Error('mug is a sale id')

const hour = 3_600_000
const startsAt = 20 * hour
const countdown: Countdown = {
  ...{ saleId, version: 2, started: false, startsAt, endsAt: startsAt + hour },
  ...{ requirePass: 'on', spreadSeconds: 30 },
}
const passUntil = (ms: number) => ({ shopperHash: 'a'.repeat(16), expiresAt: Math.floor(ms / 1000) })

function page(share: number) {
  const asked: number[] = []
  let now = 0
  const keep = passKeeper({ get: () => void asked.push(now), share })
  type Facts = Parameters<typeof keep>[0]
  const look = (at: number, change: Partial<Facts> = {}) => {
    now = at
    keep({ phase: at < startsAt ? 'scheduled' : 'open', countdown, pass: undefined, now, startsAt, ...change })
  }
  /** Looks every second from `from` to `until`. */
  const watch = (from: number, until: number, change?: Partial<Facts>) => {
    for (let at = from; at <= until; at += 1000) look(at, change)
  }
  return { asked, look, watch }
}

describe('a page that waits', () => {
  it('asks for a pass once, at its own moment of the waiting time (C3, L6)', () => {
    const from = startsAt - 600_000
    for (const share of [0, 0.5, 0.999]) {
      const { asked, watch } = page(share)
      watch(from, startsAt - 1000)
      expect(asked).toHaveLength(1)
      expect(Math.abs((asked[0] ?? 0) - (from + share * 580_000))).toBeLessThanOrEqual(1000)
    }
  })

  it('asks only when a new pass lasts beyond the start and the spread', () => {
    const { asked, watch } = page(0)
    watch(startsAt - 8 * hour, startsAt - 5 * hour)
    expect(asked).toEqual([startsAt - 6 * hour + 90_000])
  })

  it('asks for none while it has one that lasts, or where the sale wants none', () => {
    const { asked, watch } = page(0)
    const range = [startsAt - 60_000, startsAt + 60_000] as const
    watch(...range, { pass: passUntil(startsAt + 90_000) })
    watch(...range, { countdown: { ...countdown, requirePass: 'off', spreadSeconds: 0 } })
    watch(...range, { countdown: undefined })
    watch(...range, { phase: 'paused' })
    expect(asked).toEqual([])
    watch(...range, { pass: passUntil(startsAt + 89_000) })
    expect(asked).toHaveLength(1)
  })

  it('asks at once during the spread, in which it must know its turn, and leaves it to the click after that (R8)', () => {
    const during = page(0.9)
    during.watch(startsAt + 1000, startsAt + 60_000)
    expect(during.asked).toEqual([startsAt + 1000])
    const after = page(0.9)
    after.watch(startsAt + 30_000, startsAt + 60_000)
    expect(after.asked).toEqual([])
  })

  it('asks again for the next window (R7)', () => {
    const { asked, look } = page(0)
    look(startsAt - 100_000)
    look(startsAt - 90_000)
    look(startsAt + hour, { phase: 'scheduled', startsAt: startsAt + 2 * hour })
    expect(asked).toEqual([startsAt - 100_000, startsAt + hour])
  })
})
