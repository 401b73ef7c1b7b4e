/** The pass of a shopper in a page: the turn that it gives, and when a page asks for one. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { spreadMs } from '../../../core/gate/spread.ts'
import { parseSaleId } from '../../../core/ids.ts'
import type { Countdown } from '../../../core/sale/pointer.ts'
import { ownTurn, passKeeper } from '../../../static/sale/pass.ts'

const saleId = parseSaleId('mug')
if (saleId === undefined) throw new Error('mug is a sale id')

const countdown: Countdown = {
  ...{ saleId, version: 2, started: true, startsAt: 1000, endsAt: 9000 },
  ...{ requirePass: 'on', spreadSeconds: 30, startToken: 'token-1', turnKey: 'key-1' },
}
const pass = { shopperHash: 'abcdefgh_-123456', expiresAt: 2_000_000_000 }

/** The value that the gate computes. */
const turnAtGate = (token: string, shopperHash: string) =>
  spreadMs(createHmac('sha256', token).update(shopperHash).digest('hex'), 30)

function page() {
  let known: () => void = () => {}
  return {
    turn: ownTurn(() => known()),
    /** Resolves when the page has worked its turn out. */
    next: () =>
      new Promise<void>((resolve) => {
        known = resolve
      }),
  }
}

describe('the shopper’s turn in a page', () => {
  it('is the one that the gate computes, for every start anew (R8)', async () => {
    const { turn, next } = page()
    for (const turnKey of ['key-1', 'key-2']) {
      const known = next()
      expect(turn({ ...countdown, turnKey }, pass)).toBeUndefined()
      await known
      expect(turn({ ...countdown, turnKey }, pass)).toBe(turnAtGate(turnKey, pass.shopperHash))
    }
  })

  it('is that of the newest pass, also when the older one is worked out later', async () => {
    const { turn, next } = page()
    const other = { ...pass, shopperHash: 'other-shopper-00' }
    const known = next()
    turn(countdown, pass)
    turn(countdown, other)
    await known
    expect(turn(countdown, other)).toBe(turnAtGate('key-1', other.shopperHash))
  })

  it('is at once without a spread, and where the page cannot know it', () => {
    const { turn } = page()
    expect(turn(undefined, pass)).toBe(0)
    expect(turn(countdown, undefined)).toBe(0)
    const { turnKey: _, ...before } = countdown
    expect(turn(before, pass)).toBe(0)
  })
})

const hour = 3_600_000
const startsAt = 20 * hour
const waiting: Countdown = {
  ...{ saleId, version: 2, started: false, startsAt, endsAt: startsAt + hour },
  ...{ requirePass: 'on', spreadSeconds: 30 },
}
const passUntil = (ms: number) => ({ shopperHash: 'a'.repeat(16), expiresAt: Math.floor(ms / 1000) })

function waitingPage(share: number) {
  const asked: number[] = []
  let now = 0
  const keep = passKeeper({ get: () => void asked.push(now), share })
  type Facts = Parameters<typeof keep>[0]
  const look = (at: number, change: Partial<Facts> = {}) => {
    now = at
    keep({ phase: at < startsAt ? 'scheduled' : 'open', countdown: waiting, pass: undefined, now, startsAt, ...change })
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
      const { asked, watch } = waitingPage(share)
      watch(from, startsAt - 1000)
      expect(asked).toHaveLength(1)
      expect(Math.abs((asked[0] ?? 0) - (from + share * 580_000))).toBeLessThanOrEqual(1000)
    }
  })

  it('asks only when a new pass lasts beyond the start and the spread', () => {
    const { asked, watch } = waitingPage(0)
    watch(startsAt - 8 * hour, startsAt - 5 * hour)
    expect(asked).toEqual([startsAt - 6 * hour + 90_000])
  })

  it('asks for none while it has one that lasts, or where the sale wants none', () => {
    const { asked, watch } = waitingPage(0)
    const range = [startsAt - 60_000, startsAt + 60_000] as const
    watch(...range, { pass: passUntil(startsAt + 90_000) })
    watch(...range, { countdown: { ...waiting, requirePass: 'off', spreadSeconds: 0 } })
    watch(...range, { countdown: undefined })
    watch(...range, { phase: 'paused' })
    expect(asked).toEqual([])
    watch(...range, { pass: passUntil(startsAt + 89_000) })
    expect(asked).toHaveLength(1)
  })

  it('asks at once during the spread, in which it must know its turn, and leaves it to the click after that (R8)', () => {
    const during = waitingPage(0.9)
    during.watch(startsAt + 1000, startsAt + 60_000)
    expect(during.asked).toEqual([startsAt + 1000])
    const after = waitingPage(0.9)
    after.watch(startsAt + 30_000, startsAt + 60_000)
    expect(after.asked).toEqual([])
  })

  it('asks again for the next window (R7)', () => {
    const { asked, look } = waitingPage(0)
    look(startsAt - 100_000)
    look(startsAt - 90_000)
    look(startsAt + hour, { phase: 'scheduled', startsAt: startsAt + 2 * hour })
    expect(asked).toEqual([startsAt - 100_000, startsAt + hour])
  })
})
