/**
 * The course of a sale in counts that add up since it was published: units taken, clicks by answer, admissions. A
 * sample has the counts so far. So a sample that is missing leaves a gap and no wrong number, and a repeated one
 * changes nothing.
 */
import type { Live } from '../api/control-answers.ts'
import type { OutcomeKind } from '../outcome.ts'

/** Requests for units by the place that decided them, and their outcome: a `ProblemCode`, or that of a script. */
export type CountedDemand = Readonly<Record<'gate' | 'stock', ReadonlyMap<string, number>>>

/** Outcomes with units; a repeat is an answer that was sent again. */
const winning: ReadonlySet<string> = new Set(['reserved', 'claimed', 'repeat'])

/**
 * The refusals of gate and stock together. Gate and stock send their counts at different moments: a request may be
 * decided some seconds before it is counted as asked, so at least those with an outcome were asked.
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
 * The groups of reasons: no unit or no place was left, the request came outside the time of the sale, its shopper or
 * address had enough, it did not pass a check, or something else.
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

/** The counts of a sample, in the order in which the table has them: new ones are added at the end. */
export const seriesCounts = ['taken', 'left', 'asked', 'admitted', 'won', ...reasonGroups] as const
type SeriesCount = (typeof seriesCounts)[number]

/** The counts at `at` (epoch seconds), null where they were not known. `left` is -1 for an unlimited stock. */
export type SeriesSample = { at: number } & Record<SeriesCount, number | null>

/** Units that shoppers have taken, and that are left. */
export type CountedUnits = { taken: number; left: number }

/** Returns the sample of a look at `now` (epoch ms); a part that is undefined, or admissions that are null, were not known. */
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

/** True when nothing happened between two samples: counts that add up and are equal at both ends did not move. */
export function isUnchanged(a: SeriesSample, b: SeriesSample): boolean {
  return seriesCounts.every((name) => a[name] === b[name])
}

/** A series as columns: `at` in epoch seconds, and the counts at each of them. */
export type SeriesColumns = { at: readonly number[] } & Record<SeriesCount, readonly (number | null)[]>

export function seriesColumns(samples: readonly SeriesSample[]): SeriesColumns {
  const columns = seriesCounts.map((name) => [name, samples.map((sample) => sample[name])] as const)
  const counts = Object.fromEntries(columns) as Record<SeriesCount, (number | null)[]>
  return { at: samples.map(({ at }) => at), ...counts }
}

/** Returns the samples in the columns of an answer. */
export function samplesIn(columns: SeriesColumns): SeriesSample[] {
  return columns.at.map((at, row) => {
    const counts = seriesCounts.map((name) => [name, columns[name][row] ?? null] as const)
    return { at, ...(Object.fromEntries(counts) as Record<SeriesCount, number | null>) }
  })
}
