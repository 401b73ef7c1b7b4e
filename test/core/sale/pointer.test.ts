import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import { type Flag, type Phase, phases } from '../../../core/sale/phase.ts'
import * as published from '../../../core/sale/pointer.ts'
import { countdownSource, pointerOf } from '../../../core/sale/pointer.ts'
import { nextPollMs } from '../../../core/sale/pointer-poll.ts'
import * as countdowns from '../../../functions/sales/publishing/countdown.ts'
import { armedTokenOf } from '../../../redis/gate/armed-token.ts'

const sale = {
  saleId: 'mug' as SaleId,
  version: 3,
  warmed: true,
  startToken: 'secret-token',
  startsAt: 1000,
  endsAt: 2000,
  windows: [],
  windowIndex: 0,
  requirePass: 'on' as const,
  spreadSeconds: 30,
}

const countdownOf = (sale: Parameters<typeof published.countdownOf>[0]) => published.countdownOf(sale, armedTokenOf)
const countdownJson = (sale: Parameters<typeof countdownOf>[0] & Parameters<typeof countdowns.countdownJson>[1]) =>
  countdowns.countdownJson(countdownOf(sale), sale)

describe('the countdown', () => {
  it.each<Flag>(['off', 'paused', 'closed'])('never shows the start token while the flag is %s (C6)', (flag) => {
    const source = countdownSource(countdownOf({ ...sale, flag }))
    expect(source).not.toContain('secret-token')
    expect(source).toContain('"started":false')
  })

  it('shows started and the token once the flag is on (C6)', () => {
    expect(countdownOf({ ...sale, flag: 'on' })).toMatchObject({ started: true, startToken: 'secret-token' })
  })

  it('says that a sale which waits for its time is not started, and has another parameter, with the same turns (C6, R8)', () => {
    const armed = countdownOf({ ...sale, flag: 'on', armed: true })
    const started = countdownOf({ ...sale, flag: 'on' })
    expect(armed.started).toBe(false)
    expect(armed.startToken).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(countdownSource(armed)).not.toContain('secret-token')
    expect(started.startToken).not.toBe(armed.startToken)
    expect(started.turnKey).toBe(armed.turnKey)
    expect(countdownOf({ ...sale, flag: 'on', armed: true, spreadSeconds: 0 })).not.toHaveProperty('turnKey')
  })

  it('says what a click needs where it is not the default, and nothing else (L6, R8)', () => {
    const usual = { ...sale, flag: 'off', requirePass: 'on', spreadSeconds: 0 } as const
    expect(Object.keys(countdownOf(usual)).sort()).toEqual(['endsAt', 'saleId', 'started', 'startsAt', 'version'])
    expect(countdownOf({ ...usual, spreadSeconds: 30 })).toMatchObject({ spreadSeconds: 30 })
    expect(countdownOf({ ...usual, requirePass: 'off' })).toMatchObject({ requirePass: 'off' })
    const earlyAccess = { minutes: 10, minLevel: 3 }
    expect(countdownOf({ ...usual, earlyAccess })).toEqual({ ...countdownOf(usual), earlyMinutes: 10 })
  })

  it('has the product in its JSON where pages of other sites may sell the sale, and otherwise the same bytes', () => {
    const shown = { kind: 'goods', title: 'Mug', price: 990, currency: 'EUR', challenge: 'off' } as const
    const started = { ...sale, ...shown, flag: 'on' } as const
    const plain = JSON.stringify(countdownOf(started))
    expect(countdownJson(started)).toBe(plain)
    expect(countdownJson({ ...started, allowedOrigins: [] })).toBe(plain)
    const allowedOrigins = ['https://host.example']
    const productOf = (change: object = {}) =>
      JSON.parse(countdownJson({ ...started, allowedOrigins, ...change })).product
    expect(JSON.parse(countdownJson({ ...started, allowedOrigins }))).toEqual({
      ...countdownOf(started),
      product: { title: 'Mug', price: 990, currency: 'EUR', digits: 2 },
    })
    const translations = { 'zh-CN': { title: '马克杯' }, en: { description: 'Blue.' } }
    expect(productOf({ translations })).toMatchObject({ titles: { 'zh-CN': '马克杯' } })
    expect(productOf({ currency: 'JPY' })).toMatchObject({ digits: 0 })
    const variants = [{ id: 's', name: 'S', stock: 1 }]
    for (const more of [{ kind: 'red-packet' }, { challenge: 'pow' }, { variants }])
      expect(productOf(more)).toMatchObject({ onPage: true })
  })

  it('is a module a browser can import', () => {
    expect(countdownSource(countdownOf({ ...sale, flag: 'off' }))).toMatch(/^export const countdown = \{.*\}\n$/)
  })
})

describe('the pointer', () => {
  it('names the countdown of its version and the units left, and never a token (C6, C8)', () => {
    const pointer = pointerOf({ ...sale, flag: 'on' }, 1500, 0)
    expect(pointer).toEqual({
      saleId: 'mug',
      version: 3,
      at: 1500,
      phase: 'sold-out',
      startsAt: 1000,
      endsAt: 2000,
      nextStartsAt: null,
      src: '/sales/mug/countdown.3.js',
      remaining: 0,
    })
  })

  it('names the start of the next window, and waits for it once this one is over (R7)', () => {
    const windows = [
      { startsAt: 1000, endsAt: 2000, stock: 5 },
      { startsAt: 3000, endsAt: 4000, stock: 5 },
    ]
    const first = { ...sale, flag: 'on' as const, windows }
    expect(pointerOf(first, 1500, 5)).toMatchObject({ phase: 'open', nextStartsAt: 3000 })
    expect(pointerOf(first, 2000, 5)).toMatchObject({ phase: 'scheduled', nextStartsAt: 3000 })
    const last = { ...first, startsAt: 3000, endsAt: 4000, windowIndex: 1 }
    expect(pointerOf(last, 3500, 5)).toMatchObject({ phase: 'open', nextStartsAt: null })
    expect(pointerOf(last, 4000, 5)).toMatchObject({ phase: 'ended', nextStartsAt: null })
  })
})

const startsAt = 1_000_000_000
const usual = { armed: false, startsAt, nextStartsAt: null, hidden: false, failures: 0 }
type Facts = Parameters<typeof nextPollMs>[0]
const range = (phase: Phase | undefined, now: number, facts: Partial<typeof usual & Facts> = {}) =>
  [0, 0.999999].map((random) => nextPollMs({ ...usual, phase, now, ...facts }, random))
const around = (ms: number) => [Math.round(ms * 0.95), Math.round(ms * 1.05)]
const aMinute = around(57_000)
const fiveMinutes = around(285_000)

/** Polls of a page from `fromMs` to `untilMs` around the start, each at its time from the start. */
function pollsOf(facts: Partial<typeof usual & Facts>, fromMs: number, untilMs: number): number[] {
  const polls: number[] = []
  for (let now = startsAt + fromMs; now < startsAt + untilMs; ) {
    polls.push(now - startsAt)
    now += nextPollMs({ ...usual, phase: 'scheduled', ...facts, now }, 0.5)
  }
  return polls
}

describe('the next poll of the pointer', () => {
  it('comes within a minute in every phase, on a page that opens by its clock within five and in the minute before (C5)', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...phases, undefined),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: -86_400_000, max: 86_400_000 }),
        fc.option(fc.integer({ min: 0, max: 86_400_000 })),
        fc.nat(100),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (phase, armed, hidden, at, next, failures, random) => {
          const nextStartsAt = next === null ? null : startsAt + next
          const now = startsAt + at
          const wait = nextPollMs({ ...usual, phase, armed, hidden, now, nextStartsAt, failures }, random)
          const left = startsAt - now
          expect(wait).toBeLessThanOrEqual(armed && left > 0 ? 300_000 : 60_000)
          expect(wait).toBeGreaterThanOrEqual(1000)
          if (armed && !hidden && left > 60_000) expect(wait).toBeLessThanOrEqual(left - 20_000)
        },
      ),
    )
  })

  it('comes every five minutes on a page that knows its start, and 20 to 40 s before it, where a moved start is seen (C3, C5)', () => {
    for (const phase of ['scheduled', 'draft', undefined] as const) {
      expect(range(phase, startsAt - 600_000, { armed: true }), phase).toEqual(fiveMinutes)
      expect(range(phase, startsAt - 200_000, { armed: true }), phase).toEqual([180_000, 160_000])
      expect(range(phase, startsAt - 57_000, { armed: true }), phase).toEqual([59_000, 66_000])
    }
    expect(pollsOf({ armed: true }, -600_000, 0)).toEqual([-600_000, -315_000, -30_000])
    expect(pollsOf({ armed: true }, -300_000, 0)).toEqual([-300_000, -30_000])
  })

  it('of such a page comes 2 to 9 s after the start, and again after half of the time since it, for what its clicks send (C6)', () => {
    for (const phase of ['scheduled', undefined] as const)
      expect(range(phase, startsAt - 5000, { armed: true }), phase).toEqual([7000, 14_000])
    expect(range('open', startsAt + 1000, { armed: true })).toEqual(around(1500))
    expect(range('open', startsAt + 8000, { armed: true })).toEqual(around(4000))
    expect(range('open', startsAt + 600_000, { armed: true })).toEqual(around(8000))
  })

  it('comes after half of the time to a start that is not flipped yet, at least 1.5 s (C5)', () => {
    expect(range('scheduled', startsAt - 600_000)).toEqual(aMinute)
    expect(range('scheduled', startsAt - 60_000)).toEqual(around(30_000))
    expect(range('draft', startsAt - 10_000)).toEqual(around(5000))
    expect(range('scheduled', startsAt)).toEqual(around(1500))
  })

  it('becomes rarer while the marketer is late, and is at most 15 s away (C5)', () => {
    expect(range('scheduled', startsAt + 10_000)).toEqual(around(5000))
    expect(range('scheduled', startsAt + 600_000)).toEqual(around(15_000))
    expect(pollsOf({}, 0, 30_000)).toEqual([0, 1500, 3000, 4500, 6750, 10_125, 15_188, 22_782])
  })

  it('comes every 8 s while the sale runs, so that a pause, the end, and units that are added or returned are seen within 10 (C8)', () => {
    for (const phase of ['open', 'paused', 'held-back', 'sold-out'] as const)
      for (const since of [15_000, 60_000, 86_400_000])
        expect(range(phase, startsAt + since), phase).toEqual(around(8000))
    expect(range('open', startsAt + 14_999), 'while the crowd clicks').toEqual(around(24_000))
    expect(range('ended', startsAt + 600_000)).toEqual(aMinute)
  })

  it('is frequent around the next window, which may begin as this one ends (R7)', () => {
    const next = startsAt + 3_600_000
    const at = (phase: Phase, now: number) => nextPollMs({ ...usual, phase, now, nextStartsAt: next }, 0.5)
    for (const phase of ['open', 'sold-out'] as const) {
      expect(at(phase, next - 12_000), phase).toBe(6000)
      expect(at(phase, next), phase).toBe(1500)
      expect(at(phase, next - 600_000), phase).toBe(8000)
    }
    expect(at('ended', next)).toBe(57_000)
  })

  it('comes 5 s after a lost poll and doubles with every further one: a shop in trouble is not hammered', () => {
    const after = (failures: number) => range('open', startsAt, { failures })
    expect([1, 2, 3, 4, 5, 99].map(after)).toEqual([...[5000, 10_000, 20_000, 40_000].map(around), aMinute, aMinute])
  })

  it('comes once a minute in a hidden tab, every five where it waits for its clock: it looks when it is shown', () => {
    expect(range('scheduled', startsAt - 1, { hidden: true })).toEqual(aMinute)
    expect(range('scheduled', startsAt - 1, { hidden: true, armed: true })).toEqual(fiveMinutes)
    expect(range('open', startsAt, { hidden: true, armed: true })).toEqual(aMinute)
  })
})
