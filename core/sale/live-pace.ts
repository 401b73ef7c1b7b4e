/**
 * Estimates from successive live numbers of a sale about how many shoppers wait, and when it will be sold out. An unknown
 * estimate is null, never 0.
 */
import type { Live, SaleNumbers } from '../api/control-answers.ts'
import { clickIntervalMs } from '../buy/limits.ts'

/**
 * The live numbers at `at` (epoch ms). `left` is -1 for an unlimited stock. `full` counts the requests so far that found no
 * place free, `out` the admitted requests without an outcome.
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

/** Samples of the last minute, the newest last. */
export type Pace = { samples: readonly LiveSample[] }

export const noPace: Pace = { samples: [] }

/** Samples are kept for this time, the maximum over which a rate is calculated. */
const sampleLifeMs = 60_000

/** Minimum time for a rate. Over less, a single order would change it too much. */
const minSpanMs = 3000

/** A rate is calculated over at least this time, and longer until this many units were booked. */
const spanMs = 10_000
const spanUnits = 20

/** Adds a sample, unless the clock has not advanced. */
export function updatePace(pace: Pace, live: Live): Pace {
  return withSample(pace, sampleOfLive(live))
}

/** Adds a sample of an open sale from its numbers in a list, which were read at `now` (epoch ms). */
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

/** Returns how many requests were rejected so far because no place was free. */
export function refusedAtCapacity({ refused }: NonNullable<Live['demand']>): number {
  return refused.find(({ reason }) => reason === 'at-capacity')?.count ?? 0
}

/** `atLeast`: more shoppers wait for their turn without sending a request (`spreadSeconds`). */
export type WaitingEstimate = { count: number; atLeast: boolean }

type WaitingFacts = { sale: Pick<Live['sale'], 'startsAt' | 'spreadSeconds'>; now: number }

/**
 * Estimates how many shoppers wait for a place. A page that found no place free sends its next click after
 * `clickIntervalMs` at the earliest, so the rejections in one interval are as many shoppers; the admitted requests without
 * an outcome are added. Programs that retry sooner are counted several times. Null unless the sale is open.
 */
export function waitingShoppers({ samples }: Pace, { sale, now }: WaitingFacts): WaitingEstimate | null {
  const last = samples.at(-1)
  if (last === undefined || last.phase !== 'open' || last.full === null || last.out === null) return null
  const known = samples.filter(({ full }) => full !== null)
  const first = known.findLast(({ at }) => at <= last.at - clickIntervalMs) ?? known[0]
  const span = last.at - (first?.at ?? last.at)
  const refused = last.full - (first?.full ?? last.full)
  // A lower count means that the store has lost its data.
  if (span < minSpanMs || refused < 0) return null
  const perInterval = Math.min(last.full, Math.round((refused * clickIntervalMs) / span))
  return { count: perInterval + last.out, atLeast: now < sale.startsAt + sale.spreadSeconds * 1000 }
}

/** `afterMs` is the time since the opening, as in `Live`. */
export type SellOut =
  | { kind: 'sold-out'; afterMs: number | null }
  | { kind: 'expected'; inMs: number }
  | { kind: 'not-before-end' }

/**
 * Estimates when the current window will be sold out, from the rate of the last 10 to 60 seconds. Null for an unlimited or
 * unknown stock, without a rate, and unless the sale is open.
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

/** Returns the rate of bookings; null unless the booked units increased. */
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

/** Rounds an estimate to two significant digits. */
export function roundEstimate(n: number): number {
  return Number(n.toPrecision(2))
}

/** Rounds an estimate of a time to a suitable unit, at least five seconds. */
export function roughTime(ms: number): { n: number; unit: 'seconds' | 'minutes' | 'hours' } {
  const seconds = Math.max(5, 5 * Math.round(ms / 5000))
  if (seconds < 90) return { n: seconds, unit: 'seconds' }
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? { n: minutes, unit: 'minutes' } : { n: Math.round(minutes / 60), unit: 'hours' }
}
