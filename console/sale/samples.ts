/** Converts the stored series of a sale, and the live answers after it, to the columns of charts. */
import type { Live, SaleSeries } from '../../core/api/control-answers.ts'
import { type SeriesSample, sampleOf, samplesIn, seriesCounts } from '../../core/sale/series.ts'

/** Live samples that are kept until the table has them. */
const keptSamples = 600

/** Seconds between two samples that belong together, where each second has one, where each minute has, and in a thinned part. */
const maxGap = { second: 5, minute: 90, thinned: Number.POSITIVE_INFINITY } as const

/** Spans of equal length that a thinned part has, of at most five samples each. */
const thinnedSpans = 120

/** The sample of a look at the live numbers. While the stock is being rebuilt its counters say nothing. */
export function sampleOfLive({ now, frozen, stock, demand }: Live): SeriesSample {
  const counted = stock && !frozen ? { taken: stock.booked - stock.heldBack, left: stock.available } : undefined
  return sampleOf(now, counted, demand ?? undefined, null)
}

/** `samples` with `next` at the end; a clock that stands still adds nothing. */
export function withSample(samples: readonly SeriesSample[], next: SeriesSample): readonly SeriesSample[] {
  const last = samples.at(-1)
  if (last !== undefined && next.at <= last.at) return samples
  return [...samples, next].slice(-keptSamples)
}

/** `span` says after which time another one follows. */
export type CourseSample = SeriesSample & { span: keyof typeof maxGap }

/** All samples in their order: the `earlier` ones, the minutes before the first kept second, the seconds, and the looks after them. */
export function courseOf(
  { minutes, seconds }: Pick<SaleSeries, 'minutes' | 'seconds'>,
  looks: readonly SeriesSample[],
  earlier: readonly CourseSample[] = [],
): CourseSample[] {
  const fine = samplesIn(seconds)
  const firstFine = fine[0]?.at ?? looks[0]?.at ?? Number.POSITIVE_INFINITY
  const lastFine = fine.at(-1)?.at ?? 0
  const of = (span: CourseSample['span'], samples: readonly SeriesSample[]) =>
    samples.map((sample) => ({ ...sample, span }))
  return [
    ...earlier,
    ...of(
      'minute',
      samplesIn(minutes).filter(({ at }) => at < firstFine),
    ),
    ...of('second', fine),
    ...of(
      'second',
      looks.filter(({ at }) => at > lastFine),
    ),
  ]
}

/** The columns of a chart: seconds since the epoch, and a line for each of its names. */
export type ChartColumns = [number[], ...(number | null)[][]]

/** Units taken and left. An unlimited or unknown stock has no line, and looks that are missing leave a gap. */
export function unitColumns(course: readonly CourseSample[]): ChartColumns {
  const rows = withGaps(course)
  return [rows.map(({ at }) => at), rows.map(({ left }) => (left === -1 ? null : left)), rows.map(({ taken }) => taken)]
}

export const clickLines = ['asked', 'won', 'soldOut', 'full'] as const

/** Clicks in a second, by their answer. */
export function clickColumns(course: readonly CourseSample[]): ChartColumns {
  const rows = withGaps(course)
  const lines = clickLines.map((name) => rows.map((sample, i) => rateOf(name, rows[i - 1], sample)))
  return [rows.map(({ at }) => at), ...lines]
}

/** Counts that fell were lost with their store: there is no rate then. */
function rateOf(
  name: (typeof clickLines)[number],
  before: SeriesSample | undefined,
  sample: SeriesSample,
): number | null {
  const [from, to] = [before?.[name] ?? null, sample[name]]
  if (before === undefined || from === null || to === null || to < from) return null
  return (to - from) / (sample.at - before.at)
}

const isKnown = (sample: SeriesSample) => seriesCounts.some((name) => sample[name] !== null)

/** True when a count that both samples have differs. Live samples have no admissions. */
const hasMoved = (a: SeriesSample, b: SeriesSample) =>
  seriesCounts.some((name) => a[name] !== null && b[name] !== null && a[name] !== b[name])

/** Between samples that are far apart and differ is one that knows nothing. */
function withGaps(course: readonly CourseSample[]): CourseSample[] {
  return course.flatMap((sample, i): CourseSample[] => {
    const before = course[i - 1]
    if (before === undefined || !hasMoved(before, sample)) return [sample]
    if (sample.at - before.at <= maxGap[before.span]) return [sample]
    const unknown = sampleOf((before.at + 1) * 1000, undefined, undefined, null)
    return [{ ...unknown, span: before.span }, sample]
  })
}

/**
 * Samples of many days, thinned to a few hundred: of each span the first and the last, both ends of its busiest minute, and
 * one that knows nothing if any is missing. So neither a peak, nor a quiet time, nor a gap is lost.
 */
export function thinned(minutes: readonly SeriesSample[]): CourseSample[] {
  const all = withGaps(minutes.map((sample) => ({ ...sample, span: 'minute' })))
  const [first, last] = [all[0]?.at ?? 0, all.at(-1)?.at ?? 0]
  const spanSeconds = Math.max(60, (last - first + 1) / thinnedSpans)
  const rate = (i: number) => {
    const sample = all[i]
    return sample === undefined ? -1 : (rateOf('asked', all[i - 1], sample) ?? -1)
  }
  const spans = Map.groupBy(all.keys(), (i) => Math.floor(((all[i]?.at ?? 0) - first) / spanSeconds))
  const kept = [...spans.values()].flatMap((places) => {
    const busiest = places.reduce((most, i) => (rate(i) > rate(most) ? i : most))
    const gap = places.find((i) => all[i] !== undefined && !isKnown(all[i]))
    return [places[0], busiest - 1, busiest, gap, places.at(-1)]
  })
  const isKept = new Set(kept)
  return all.flatMap((sample, i) => (isKept.has(i) ? [{ ...sample, span: 'thinned' as const }] : []))
}

/** Seconds between the first and the last sample. */
export const courseSeconds = (course: readonly SeriesSample[]): number =>
  (course.at(-1)?.at ?? 0) - (course[0]?.at ?? 0)

/** The samples of the last `seconds`. */
export function lastOf(course: readonly CourseSample[], seconds: number): CourseSample[] {
  const from = (course.at(-1)?.at ?? 0) - seconds
  return course.filter(({ at }) => at > from)
}

const day = 86_400
/** Seconds between two rows of the table. */
const rowSteps = [60, 300, 600, 1800, 3600, 3 * 3600, 6 * 3600, day] as const

/** The last sample of each minute, or of the shortest longer span that gives at most about `most` rows, the newest first. */
export function tableRows(course: readonly SeriesSample[], most: number): SeriesSample[] {
  const least = courseSeconds(course) / most
  const step = rowSteps.find((seconds) => seconds >= least) ?? day * Math.ceil(least / day)
  const bySpan = new Map(course.filter(isKnown).map((sample) => [Math.floor(sample.at / step), sample]))
  return [...bySpan.values()].reverse()
}
