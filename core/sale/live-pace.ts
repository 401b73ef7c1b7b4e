/**
 * The pace of a sale, from its live numbers as they were read one after the other: about how many
 * shoppers wait, and when the sale will be sold out. What cannot be known is null, and never 0.
 */
import type { Live, SaleNumbers } from '../api/control-answers.ts'
import { clickIntervalMs } from '../buy/limits.ts'

/**
 * One look at the live numbers at `at` (epoch ms). `left` is -1 for an unlimited stock. `full` counts
 * the requests so far that found no place free, `out` the admitted ones without an outcome.
 */
type LiveSample = {
  at: number
  windowIndex: number
  phase: Live['phase']
  left: number | null
  booked: number | null
  full: number | null
  out: number | null
}

/** The looks of the last minute, the newest last. */
export type Pace = { samples: readonly LiveSample[] }

export const noPace: Pace = { samples: [] }

/** Looks are kept for this long: the longest time that a rate is taken over. */
const sampleLifeMs = 60_000

/** No rate over less than this: one order more or less would change it too much. */
const minSpanMs = 3000

/** A rate is taken over at least this long, and longer until this many units were taken. */
const spanMs = 10_000
const spanUnits = 20

/** `pace` after the next look; a clock that stands still adds nothing. */
export function updatePace(pace: Pace, live: Live): Pace {
  return withSample(pace, sampleOfLive(live))
}

/** The same of a sale that is open, from its numbers in a list, as they were read at `now` (epoch ms). */
export function updatePaceInList(pace: Pace, windowIndex: number, { left, out, full }: SaleNumbers, now: number): Pace {
  return withSample(pace, {
    at: now,
    windowIndex,
    left,
    booked: null,
    full,
    out,
    phase: left === 0 ? 'sold-out' : 'open',
  })
}

function withSample(pace: Pace, sample: LiveSample): Pace {
  const before = pace.samples.at(-1)
  if (before !== undefined && sample.at <= before.at) return pace
  const isSameWindow = before?.windowIndex === sample.windowIndex
  const kept = isSameWindow ? pace.samples.filter(({ at }) => at >= sample.at - sampleLifeMs) : []
  return { samples: [...kept, sample] }
}

function sampleOfLive({ now, sale, phase, frozen, stock, demand, admissions }: Live): LiveSample {
  const units = frozen ? null : stock
  return {
    at: now,
    windowIndex: sale.windowIndex,
    phase,
    left: units?.available ?? null,
    booked: units?.booked ?? null,
    full: demand && refusedAtCapacity(demand),
    out: admissions?.out ?? null,
  }
}

/** Returns the refusals so far for want of a free place. */
export function refusedAtCapacity({ refused }: NonNullable<Live['demand']>): number {
  return refused.find(({ reason }) => reason === 'at-capacity')?.count ?? 0
}

/** `atLeast`: there are more, who wait for their turn without a request (`spreadSeconds`). */
export type WaitingEstimate = { count: number; atLeast: boolean }

type WaitingFacts = { sale: Pick<Live['sale'], 'startsAt' | 'spreadSeconds'>; now: number }

/**
 * About how many shoppers wait for a place. A page that was refused because no place was free sends its next click
 * after `restMs` at the earliest, so the refusals of one such time are as many shoppers; the admitted requests without
 * an outcome are added. Programs that retry sooner count several times. Null unless the sale is open.
 */
export function waitingShoppers({ samples }: Pace, { sale, now }: WaitingFacts): WaitingEstimate | null {
  const last = samples.at(-1)
  if (last === undefined || last.phase !== 'open' || last.full === null || last.out === null) return null
  const known = samples.filter(({ full }) => full !== null)
  const first = known.findLast(({ at }) => at <= last.at - clickIntervalMs) ?? known[0]
  const span = last.at - (first?.at ?? last.at)
  const refused = last.full - (first?.full ?? last.full)
  // A count that fell was lost with its store.
  if (span < minSpanMs || refused < 0) return null
  const perInterval = Math.min(last.full, Math.round((refused * clickIntervalMs) / span))
  return { count: perInterval + last.out, atLeast: now < sale.startsAt + sale.spreadSeconds * 1000 }
}

/** `afterMs` is the time from the opening as `Live` has it. */
export type SellOut =
  | { kind: 'sold-out'; afterMs: number | null }
  | { kind: 'expected'; inMs: number }
  | { kind: 'not-before-end' }

/**
 * When the present round will be sold out, at the rate at which units were taken in the last 10 to 60
 * seconds. Null for an unlimited or unknown stock, without a rate, and unless the sale is open.
 */
export function sellOut({ samples }: Pace, { sale, soldOut }: Pick<Live, 'sale' | 'soldOut'>): SellOut | null {
  const last = samples.at(-1)
  if (last === undefined || (last.phase !== 'open' && last.phase !== 'sold-out')) return null
  if (last.left === 0) return { kind: 'sold-out', afterMs: soldOut[sale.windowIndex] ?? null }
  if (last.left === null || last.left < 0) return null
  const perMs = unitsPerMs(samples, last)
  if (perMs === null) return null
  const inMs = last.left / perMs
  return last.at + inMs > sale.endsAt ? { kind: 'not-before-end' } : { kind: 'expected', inMs }
}

/** Null when nothing was taken, or more came back than was taken. */
function unitsPerMs(samples: readonly LiveSample[], last: LiveSample): number | null {
  const { booked } = last
  if (booked === null) return null
  const known = samples.flatMap((sample) =>
    sample.phase === 'open' && sample.booked !== null ? [{ at: sample.at, booked: sample.booked }] : [],
  )
  const first =
    known.findLast((sample) => sample.at <= last.at - spanMs && booked - sample.booked >= spanUnits) ?? known[0]
  if (first === undefined) return null
  const span = last.at - first.at
  const units = booked - first.booked
  return span < minSpanMs || units <= 0 ? null : units / span
}

/** `n` to two significant digits, as an estimate is said. */
export function roundEstimate(n: number): number {
  return Number(n.toPrecision(2))
}

/** `ms` in the unit that fits, as an estimate is said: five seconds at least. */
export function roughTime(ms: number): { n: number; unit: 'seconds' | 'minutes' | 'hours' } {
  const seconds = Math.max(5, 5 * Math.round(ms / 5000))
  if (seconds < 90) return { n: seconds, unit: 'seconds' }
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? { n: minutes, unit: 'minutes' } : { n: Math.round(minutes / 60), unit: 'hours' }
}
