/**
 * The time series of a sale: units booked, clicks by answer, admissions. Samples have cumulative counts since the sale was
 * published, so a missing sample leaves a gap and no wrong number, and a repeated one is a no-op.
 */
import type { Live } from '../api/control-answers.ts'
import { perName } from '../lib/record-names.ts'
import type { OutcomeKind } from '../outcome.ts'

/** Requests for units by the place that decided them and by outcome, a `ProblemCode` or an outcome of reserve.lua. */
export type CountedDemand = Readonly<Record<'gate' | 'stock', ReadonlyMap<string, number>>>

/** Outcomes with units. A repeat is an answer that was sent again. */
const winning: ReadonlySet<string> = new Set(['reserved', 'claimed', 'repeat'])

/**
 * Returns the figures of gate and stock together. They send their counts at different times, so the stock may count a
 * decision some seconds before the gate counts its request. So `asked` is at least the number of outcomes.
 */
export function demandFigures({ gate, stock }: CountedDemand): NonNullable<Live['demand']> {
  const refused = new Map([...gate].filter(([outcome]) => outcome !== 'forwarded'))
  let won = 0
  for (const [outcome, count] of stock) {
    if (winning.has(outcome)) won += count
    else refused.set(outcome, (refused.get(outcome) ?? 0) + count)
  }
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, n) => all + n, 0)
  return {
    asked: Math.max(sum(gate), won + sum(refused)),
    decided: sum(stock),
    won,
    refused: [...refused]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
  }
}

/**
 * Groups of reasons: no unit was left, no place was free, the sale was not open, a limit or throttle was reached, a check
 * failed, or something else.
 */
const reasonGroups = ['soldOut', 'full', 'closed', 'limited', 'checked', 'other'] as const
type ReasonGroup = (typeof reasonGroups)[number]

const groups: Partial<Record<OutcomeKind, ReasonGroup>> = {
  'sold-out': 'soldOut',
  'at-capacity': 'full',
  'not-started': 'closed',
  'not-your-turn': 'closed',
  'stale-page': 'closed',
  paused: 'closed',
  ended: 'closed',
  'limit-reached': 'limited',
  'too-many-requests': 'limited',
  'sign-in-required': 'checked',
  'signature-invalid': 'checked',
  'challenge-required': 'checked',
  'challenge-failed': 'checked',
  'level-too-low': 'checked',
  blocked: 'checked',
}

const groupOf: ReadonlyMap<string, ReasonGroup> = new Map(Object.entries(groups))

/** The counts of a sample, in the order of the stored items. New ones are appended. */
export const seriesCounts = ['taken', 'left', 'asked', 'admitted', 'won', ...reasonGroups] as const
type SeriesCount = (typeof seriesCounts)[number]

/** The counts at `at` (epoch seconds), null if unknown. `left` is -1 for an unlimited stock. */
export type SeriesSample = { at: number } & Record<SeriesCount, number | null>

export type CountedUnits = { taken: number; left: number }

/** Returns the sample at `now` (epoch ms). Undefined parts and null admissions are unknown. */
export function sampleOf(
  now: number,
  units: CountedUnits | undefined,
  demand: NonNullable<Live['demand']> | undefined,
  admitted: number | null,
): SeriesSample {
  const sums = new Map<ReasonGroup, number>()
  for (const { reason, count } of demand?.refused ?? []) {
    const group = groupOf.get(reason) ?? 'other'
    sums.set(group, (sums.get(group) ?? 0) + count)
  }
  const sumOf = (group: ReasonGroup) => (demand === undefined ? null : (sums.get(group) ?? 0))
  return {
    at: Math.floor(now / 1000),
    taken: units?.taken ?? null,
    left: units?.left ?? null,
    asked: demand?.asked ?? null,
    admitted,
    won: demand?.won ?? null,
    soldOut: sumOf('soldOut'),
    full: sumOf('full'),
    closed: sumOf('closed'),
    limited: sumOf('limited'),
    checked: sumOf('checked'),
    other: sumOf('other'),
  }
}

/** True when nothing happened between two samples: cumulative counts that are equal did not change in between. */
export function isUnchanged(a: SeriesSample, b: SeriesSample): boolean {
  return seriesCounts.every((name) => a[name] === b[name])
}

/** A series as columns: `at` in epoch seconds, and the counts at these times. */
export type SeriesColumns = { at: readonly number[] } & Record<SeriesCount, readonly (number | null)[]>

export function seriesColumns(samples: readonly SeriesSample[]): SeriesColumns {
  const counts = perName(seriesCounts, (name) => samples.map((sample) => sample[name]))
  return { at: samples.map(({ at }) => at), ...counts }
}

export function samplesIn(columns: SeriesColumns): SeriesSample[] {
  return columns.at.map((at, row) => ({ at, ...perName(seriesCounts, (name) => columns[name][row] ?? null) }))
}
