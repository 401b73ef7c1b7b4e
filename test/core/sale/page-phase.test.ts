import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../../core/ids.ts'
import { isArmed, pagePhase } from '../../../core/sale/page-phase.ts'
import { type Phase, phaseAt } from '../../../core/sale/phase.ts'
import { type Countdown, countdownOf, type Pointer, pointerOf } from '../../../core/sale/pointer.ts'
import type { SaleWindow } from '../../../core/sale/sale.ts'
import { type CardData, cardPhase, needsCountdown, publishedPhase } from '../../../static/sale/phase-seen.ts'

const saleId = parseSaleId('mug')
if (saleId === undefined) throw new Error('mug is a sale id')

const startsAt = 1000
const endsAt = 2000
const pointer = (phase: Phase, { nextStartsAt }: Pick<Pointer, 'nextStartsAt'> = { nextStartsAt: null }): Pointer => {
  const times = { startsAt, endsAt, nextStartsAt }
  return { saleId, version: 2, at: startsAt, phase, ...times, src: '/sales/mug/countdown.2.js', remaining: 5 }
}
const needs = { requirePass: 'on', spreadSeconds: 0 } as const
const countdown = (isReady: boolean) => ({
  ...{ saleId, version: 2, started: false, startsAt, endsAt, ...needs },
  ...(isReady && { startToken: 'token' }),
})

describe('the phase a page sees', () => {
  const between = { nextStartsAt: endsAt + 500 }
  const hourSlow = startsAt - 3_600_000
  const [ready, unready, missing] = [countdown(true), countdown(false), undefined]

  it.each<[string, Pointer, Countdown | undefined, now: number, left: number, Phase]>([
    ['before its time, armed', pointer('scheduled'), ready, startsAt - 1, 5, 'scheduled'],
    ['at its time, armed, though no publisher acts then (C5)', pointer('scheduled'), ready, startsAt, 5, 'open'],
    ['past its time, the flag off (C6)', pointer('scheduled'), unready, startsAt + 500, 5, 'scheduled'],
    ['past its time, without a countdown (C6)', pointer('scheduled'), missing, startsAt + 500, 5, 'scheduled'],
    ['with 0 left (C8)', pointer('open'), ready, startsAt, 0, 'sold-out'],
    ['with units that returned (C8)', pointer('sold-out'), ready, startsAt, 1, 'open'],
    ['of an unlimited stock', pointer('open'), ready, startsAt, -1, 'open'],
    ['while the publisher holds units back (G7)', pointer('held-back'), ready, startsAt, 0, 'held-back'],
    ['once some are not held back any more (G7)', pointer('held-back'), ready, startsAt, 1, 'open'],
    ['on a clock that is an hour slow (C5)', pointer('open'), ready, hourSlow, 5, 'open'],
    ['on a slow clock, with 0 left (C5)', pointer('open'), ready, hourSlow, 0, 'sold-out'],
    ['on a slow clock, with units that returned (C5)', pointer('sold-out'), ready, hourSlow, 5, 'open'],
    ['on a slow clock, sold out (C5)', pointer('sold-out'), ready, hourSlow, 0, 'sold-out'],
    ['past its end by the clock', pointer('open'), ready, endsAt, 5, 'ended'],
    ['at its end by the pointer', pointer('ended'), missing, startsAt, 5, 'ended'],
    ['between two windows, started (R7)', pointer('open', between), ready, endsAt, 5, 'scheduled'],
    ['between two windows, not started (R7)', pointer('open', between), unready, endsAt, 5, 'scheduled'],
    ['in the first of two windows (R7)', pointer('open', between), ready, endsAt - 1, 5, 'open'],
    ['closed between two windows (R7)', pointer('ended', between), missing, endsAt, 5, 'ended'],
    ['in a pause', pointer('paused'), unready, startsAt, 5, 'paused'],
    ['of a draft', pointer('draft'), unready, startsAt, 5, 'draft'],
  ])('is that of a sale %s', (_, seen, loaded, now, left, phase) => {
    expect(pagePhase({ pointer: seen, countdown: loaded }, now, left)).toBe(phase)
  })
})

describe('the phase of a page that does not know the time yet', () => {
  it('is what the pointer says, by any clock of the device: nothing waits for the shop’s clock (C5)', () => {
    for (const phase of ['draft', 'scheduled', 'open', 'paused', 'sold-out', 'ended'] as const) {
      expect(publishedPhase(pointer(phase), phase === 'sold-out' ? 0 : 5)).toBe(phase)
    }
    expect(publishedPhase(pointer('held-back'), 0)).toBe('held-back')
    expect(publishedPhase(pointer('open'), 0)).toBe('sold-out')
    expect(publishedPhase(pointer('sold-out'), 1)).toBe('open')
  })
})

describe('the page’s rule and the system’s', () => {
  const times = { startsAt, endsAt }
  const units = fc.constantFrom(-1, 0, 1, 5)
  const moment = fc.integer({ min: startsAt - 600, max: endsAt + 600 })
  /** Only a sale whose stock is on the shelf can have been started. */
  const state = fc.oneof(
    fc.constantFrom(...(['off', 'on', 'paused', 'closed'] as const)).map((flag) => ({ flag, warmed: true })),
    fc.constantFrom(...(['off', 'closed'] as const)).map((flag) => ({ flag, warmed: false })),
  )
  const first = { startsAt, endsAt, stock: 5 }
  const next = { startsAt: endsAt, endsAt: endsAt + 500, stock: 5 }
  const windows = fc.constantFrom<SaleWindow[]>([], [first], [first, next])
  const cases = fc.record({ state, windows, published: moment, later: fc.nat(3000), earlier: units, available: units })
  type Drawn = typeof cases extends fc.Arbitrary<infer T> ? T : never
  const seenOf = ({ state, windows, published, later, earlier, available }: Drawn) => {
    const sale = { saleId, version: 3, startToken: 'token', windowIndex: 0, windows, ...state, ...times, ...needs }
    const now = published + later
    const pointer = pointerOf(sale, published, earlier)
    return {
      sale,
      now,
      pointer,
      countdown: countdownOf(sale, () => 'parameter'),
      truth: phaseAt({ ...sale, hasNext: windows.length > 1 }, now, available),
      available,
    }
  }

  it('say the same of the same flag, clock and units, however old the pointer is (C5, C6, C8)', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const { pointer, countdown, now, available, truth } = seenOf(drawn)
        expect(pagePhase({ pointer, countdown }, now, available)).toBe(truth)
      }),
      { numRuns: 2000 },
    )
  })

  it('say the same without the countdown, but for an armed sale: that one waits until it has loaded (C6)', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const { sale, pointer, now, available, truth } = seenOf(drawn)
        const armed = sale.flag === 'on' && pointer.phase === 'scheduled' && now < endsAt
        const seen = pagePhase({ pointer, countdown: undefined }, now, available)
        expect(seen).toBe(armed ? 'scheduled' : truth)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('an armed page', () => {
  const startsAt = 1_000_000_000
  const window = { saleId, version: 2, startsAt, endsAt: startsAt + 60_000 }
  const pointer: Pointer = {
    ...{ ...window, at: startsAt - 60_000, phase: 'scheduled', nextStartsAt: null, remaining: 5 },
    src: '/sales/mug/countdown.2.js',
  }
  const whole = { ...window, requirePass: 'on', spreadSeconds: 0 } as const
  const countdown: Countdown = { ...whole, started: false, startToken: 'a-parameter' }

  it('holds a countdown of its pointer, with what a click sends in the first seconds (C5, C6)', () => {
    expect(isArmed({ pointer, countdown }, startsAt)).toBe(true)
    expect(isArmed({ pointer: { ...pointer, remaining: -1 }, countdown }, startsAt)).toBe(true)
  })

  it.each<[string, Parameters<typeof isArmed>[0]]>([
    ['has seen nothing', undefined],
    ['has no countdown yet', { pointer, countdown: undefined }],
    ['has one that is not started', { pointer, countdown: { ...whole, started: false } }],
    ['has that of the start', { pointer, countdown: { ...countdown, started: true } }],
    ['sees a draft', { pointer: { ...pointer, phase: 'draft' }, countdown }],
    ['sees a pause', { pointer: { ...pointer, phase: 'paused' }, countdown }],
    ['sees nothing left', { pointer: { ...pointer, remaining: 0 }, countdown }],
  ])('is not one that %s', (_, seen) => {
    expect(isArmed(seen, startsAt)).toBe(false)
  })

  it('is armed for its own window, not for the one after it (R7)', () => {
    const next = window.endsAt + 60_000
    const seen = { pointer: { ...pointer, nextStartsAt: next }, countdown }
    expect([isArmed(seen, startsAt), isArmed(seen, next)]).toEqual([true, false])
  })
})

describe('a card on the index', () => {
  const [startsAt, endsAt] = [1_000_000, 2_000_000]
  const sale = {
    ...{ saleId, version: 2, warmed: true, startToken: 'token', startsAt, endsAt, windows: [], windowIndex: 0 },
    ...needs,
  }

  /** A card whose pointer was published a minute before the start. */
  function card(flag: 'on' | 'off', countdown: 'loaded' | 'missing'): CardData {
    const pointer = pointerOf({ ...sale, flag }, startsAt - 60_000, 5)
    return {
      pointer,
      countdown:
        countdown === 'loaded' ? countdownOf({ ...sale, flag, armed: flag === 'on' }, () => 'parameter') : undefined,
    }
  }

  it('reads open once an armed sale is past its start, though its pointer still says scheduled (C5)', () => {
    expect(cardPhase(card('on', 'loaded'), startsAt - 1)).toBe('scheduled')
    expect(cardPhase(card('on', 'loaded'), startsAt)).toBe('open')
    expect(cardPhase(card('on', 'loaded'), endsAt)).toBe('ended')
  })

  it('goes on waiting past the start of a sale that was not flipped (C6)', () => {
    expect(cardPhase(card('off', 'loaded'), startsAt + 1)).toBe('scheduled')
  })

  it('believes no countdown of another version', () => {
    const { countdown } = card('on', 'loaded')
    const { pointer } = card('off', 'loaded')
    expect(cardPhase({ pointer: { ...pointer, version: 3 }, countdown }, startsAt)).toBe('scheduled')
  })

  it('asks for its countdown shortly before the start, once, and not for a sale that is far or over', () => {
    expect(needsCountdown(card('on', 'missing'), startsAt - 60_000)).toBe(false)
    expect(needsCountdown(card('on', 'missing'), startsAt - 10_000)).toBe(true)
    expect(needsCountdown(card('on', 'missing'), startsAt + 10_000)).toBe(true)
    expect(needsCountdown(card('on', 'loaded'), startsAt)).toBe(false)
    expect(needsCountdown(card('on', 'missing'), endsAt)).toBe(false)
  })
})
