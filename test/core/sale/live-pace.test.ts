import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Live } from '../../../core/api/control-answers.ts'
import {
  noPace,
  roughTime,
  roundEstimate,
  sellOut,
  updatePace,
  updatePaceInList,
  waitingShoppers,
} from '../../../core/sale/live-pace.ts'
import { aLive, sale } from '../api/live-answer.ts'

const startsAt = 1_000_000
const selling = { ...sale, startsAt, endsAt: startsAt + 3_600_000 }

type Seen = { second: number; booked?: number; full?: number } & Partial<Live>

/** A look so many seconds after the start, of a stock of 100. */
function look({ second, booked = 0, full = 0, ...change }: Seen): Live {
  const refused = [{ reason: 'at-capacity', count: full }]
  return {
    ...{ ...aLive, sale: selling, now: startsAt + second * 1000 },
    phase: booked === 100 ? 'sold-out' : 'open',
    stock: { total: 100, booked, heldBack: 0, available: 100 - booked },
    admissions: { remaining: 0, out: 0, rate: 1 },
    demand: { asked: full, decided: 0, won: 0, refused },
    ...change,
  }
}

function paceOf(...seen: Seen[]) {
  const looks = seen.map(look)
  const last = looks.at(-1) ?? look({ second: 0 })
  const pace = looks.reduce(updatePace, noPace)
  return { pace, waiting: waitingShoppers(pace, last), sellOut: sellOut(pace, last) }
}

/** One look a second, from `from` to `to`. */
const seconds = (from: number, to: number, at: (second: number) => Omit<Seen, 'second'>): Seen[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ second: from + i, ...at(from + i) }))

const out = (n: number) => ({ admissions: { remaining: 0, out: n, rate: 1 } })

describe('how many shoppers wait (C7)', () => {
  it('is the refusals of one rest of the button and the admitted requests without an outcome', () => {
    expect(paceOf(...seconds(5, 40, (s) => ({ full: s * 30, ...out(12) }))).waiting).toEqual({
      count: 312,
      atLeast: false,
    })
  })

  it('is the same in a list, which has its counts every few seconds', () => {
    const every5 = [0, 5, 10, 15, 20].map((second) => ({ second, full: second * 30, ...out(12) }))
    const { pace, waiting } = paceOf(...every5)
    const inList = every5.reduce((known, { second, full }) => {
      const numbers = { sold: 0, left: 100, paid: 0, revenue: 0, out: 12, full }
      return updatePaceInList(known, selling.windowIndex, numbers, startsAt + second * 1000)
    }, noPace)
    const seen = (known: typeof pace) => waitingShoppers(known, { sale: selling, now: startsAt + 20_000 })
    expect(seen(inList)).toEqual({ count: 312, atLeast: false })
    expect(seen(inList)).toEqual(waiting)
    const soldOut = { sold: 100, left: 0, paid: 0, revenue: 0, out: 0, full: 900 }
    expect(seen(updatePaceInList(inList, selling.windowIndex, soldOut, startsAt + 25_000))).toBeNull()
  })

  it('is unknown before three seconds were seen, and taken from their rate then', () => {
    expect(paceOf(...seconds(30, 32, (s) => ({ full: s * 10 }))).waiting).toBeNull()
    expect(paceOf(...seconds(30, 34, (s) => ({ full: s * 10 }))).waiting?.count).toBe(100)
  })

  it('is never more than all who were refused so far', () => {
    expect(paceOf(...seconds(0, 4, (s) => ({ full: s * 10 }))).waiting?.count).toBe(40)
  })

  it('is 0 when no request is refused, and null when the store does not answer', () => {
    const quiet = seconds(20, 40, () => ({ full: 5 }))
    expect(paceOf(...quiet).waiting?.count).toBe(0)
    expect(paceOf(...quiet, { second: 41, demand: null, admissions: null }).waiting).toBeNull()
    expect(paceOf(...quiet, { second: 41, full: 5, admissions: null }).waiting).toBeNull()
  })

  it('is null when the counts were lost and begin again', () => {
    expect(paceOf(...seconds(20, 40, (s) => ({ full: s < 35 ? 500 : 3 }))).waiting).toBeNull()
  })

  it.each(['draft', 'scheduled', 'paused', 'sold-out', 'ended'] as const)(
    'is unknown while the sale is %s: its pages send nothing then',
    (phase) => {
      expect(paceOf(...seconds(20, 40, (s) => ({ full: s, phase }))).waiting).toBeNull()
    },
  )

  it('is a lower bound while shoppers still wait for their turn', () => {
    const spread = { ...selling, spreadSeconds: 30 }
    const turns = seconds(0, 20, (s) => ({ full: s * 10, sale: spread }))
    expect(paceOf(...turns).waiting).toEqual({ count: 100, atLeast: true })
    expect(paceOf(...seconds(10, 30, (s) => ({ full: s * 10, sale: spread }))).waiting?.atLeast).toBe(false)
  })
})

describe('the time to sold out', () => {
  it('follows the rate of the last seconds', () => {
    expect(paceOf(...seconds(1, 21, (s) => ({ booked: s * 2 }))).sellOut).toEqual({ kind: 'expected', inMs: 29_000 })
  })

  it('looks back a minute at most for a slow sale', () => {
    const slow = seconds(0, 200, (s) => ({ booked: s < 140 ? 50 : 50 + Math.floor((s - 140) / 6) }))
    expect(paceOf(...slow).sellOut).toEqual({ kind: 'expected', inMs: 240_000 })
  })

  it('is unknown without sales, while more comes back than is taken, and for an unlimited stock', () => {
    expect(paceOf(...seconds(1, 30, () => ({ booked: 40 }))).sellOut).toBeNull()
    expect(paceOf(...seconds(1, 30, (s) => ({ booked: 90 - s }))).sellOut).toBeNull()
    const unlimited = { total: -1, heldBack: 0, available: -1 }
    const looks = seconds(1, 30, (s) => ({ stock: { ...unlimited, booked: s } }))
    expect(paceOf(...looks).sellOut).toBeNull()
  })

  it('is unknown while the stock is, or is being rebuilt (P10)', () => {
    const going = seconds(1, 20, (s) => ({ booked: s }))
    expect(paceOf(...going, { second: 21, stock: null }).sellOut).toBeNull()
    expect(paceOf(...going, { second: 21, booked: 100, phase: 'open', frozen: true }).sellOut).toBeNull()
  })

  it('does not take added units for units that came back', () => {
    const added = seconds(1, 20, (s) => ({
      stock: { total: s < 10 ? 100 : 200, booked: s * 2, heldBack: 0, available: (s < 10 ? 100 : 200) - s * 2 },
    }))
    expect(paceOf(...added).sellOut).toEqual({ kind: 'expected', inMs: 80_000 })
  })

  it('says that the window ends earlier', () => {
    const ending = { ...selling, endsAt: startsAt + 40_000 }
    expect(paceOf(...seconds(1, 20, (s) => ({ booked: s, sale: ending }))).sellOut).toEqual({ kind: 'not-before-end' })
  })

  it('is over once all is taken, with the time that was noted of this round', () => {
    const over = { second: 10, booked: 100 }
    expect(paceOf({ ...over, soldOut: [7800] }).sellOut).toEqual({ kind: 'sold-out', afterMs: 7800 })
    expect(paceOf(over).sellOut).toEqual({ kind: 'sold-out', afterMs: null })
    const second = { ...over, sale: { ...selling, windowIndex: 1 } }
    expect(paceOf({ ...second, soldOut: [7800, null] }).sellOut).toEqual({ kind: 'sold-out', afterMs: null })
  })

  it('begins anew with each round (R7)', () => {
    const second = { ...selling, windowIndex: 1 }
    const rounds = [...seconds(1, 20, (s) => ({ booked: s * 2 })), { second: 21, booked: 42, sale: second }]
    expect(paceOf(...rounds).sellOut).toBeNull()
  })

  it('is a positive number or unknown, however units come and go', () => {
    const anyLook = fc.record({
      step: fc.integer({ min: 0, max: 30_000 }),
      booked: fc.integer({ min: 0, max: 100 }),
      full: fc.integer({ min: 0, max: 1_000_000 }),
      isKnown: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(anyLook, { maxLength: 90 }), (looks) => {
        let second = 0
        const seen = looks.map(({ step, booked, full, isKnown }) => {
          second += step / 1000
          return { second, booked, full, ...(!isKnown && { stock: null, demand: null }) }
        })
        const { waiting, sellOut: over } = paceOf(...seen)
        if (waiting !== null) expect(waiting.count).toBeGreaterThanOrEqual(0)
        if (over?.kind === 'expected') {
          expect(over.inMs).toBeGreaterThan(0)
          expect(over.inMs).toBeLessThanOrEqual(3_600_000)
        }
        if (over?.kind === 'sold-out') expect(over.afterMs ?? 0).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('an estimate in words', () => {
  it.each([
    [0, 0],
    [7, 7],
    [99, 99],
    [343, 340],
    [1278, 1300],
  ])('of %i is %i', (n, said) => {
    expect(roundEstimate(n)).toBe(said)
  })

  it.each([
    [0, 5, 'seconds'],
    [38_000, 40, 'seconds'],
    [89_000, 2, 'minutes'],
    [190_000, 3, 'minutes'],
    [7_000_000, 2, 'hours'],
  ])('of %i ms is %i %s', (ms, n, unit) => {
    expect(roughTime(ms)).toEqual({ n, unit })
  })
})
