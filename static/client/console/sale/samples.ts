/** The course of a sale as the columns of its charts: what the table has kept, and behind it the looks of this page. */
import type { Live, SaleSeries } from '../../../../core/api/control-answers.ts'
import { type SeriesSample, sampleOf, samplesIn, seriesCounts } from '../../../../core/sale/series.ts'

/** Looks that are kept until the table has them. */
const keptSamples = 600

/** Seconds between two samples that belong together, where each second has one, and where each minute has. */
const longestGap = { second: 5, minute: 90 } as const

/** The sample of a look at the live numbers. While the stock is being rebuilt its counters say nothing. */
export function sampleOfLive({ now, frozen, stock, demand }: Live): SeriesSample {
  const counted =
    stock && !frozen ? { taken: stock.booked - stock.heldBack, left: stock.available } : undefined
  return sampleOf(now, counted, demand ?? undefined, null)
}

/** `samples` with `next` at the end; a clock that stands still adds nothing. */
export function withSample(samples: readonly SeriesSample[], next: SeriesSample): readonly SeriesSample[] {
  const last = samples.at(-1)
  if (last !== undefined && next.at <= last.at) return samples
  return [...samples, next].slice(-keptSamples)
}

/** `span` says after which time another one follows. */
export type CourseSample = SeriesSample & { span: keyof typeof longestGap }

/** All samples in their order: the minutes before the first kept second, the seconds, and the looks after them. */
export function courseOf(
  { minutes, seconds }: Pick<SaleSeries, 'minutes' | 'seconds'>,
  looks: readonly SeriesSample[],
): CourseSample[] {
  const fine = samplesIn(seconds)
  const firstFine = fine[0]?.at ?? looks[0]?.at ?? Number.POSITIVE_INFINITY
  const lastFine = fine.at(-1)?.at ?? 0
  const of = (span: CourseSample['span'], samples: readonly SeriesSample[]) =>
    samples.map((sample) => ({ ...sample, span }))
  return [
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
  return [
    rows.map(({ at }) => at),
    rows.map(({ sample }) => (sample?.left === -1 ? null : (sample?.left ?? null))),
    rows.map(({ sample }) => sample?.taken ?? null),
  ]
}

export const clickLines = ['asked', 'won', 'soldOut', 'full'] as const

/** Clicks in a second, by their answer. Counts that fell were lost with their store: there is no rate then. */
export function clickColumns(course: readonly CourseSample[]): ChartColumns {
  const rows = withGaps(course)
  const lines = clickLines.map((name) =>
    rows.map(({ at, sample }, row) => {
      const before = rows[row - 1]
      const [from, to] = [before?.sample?.[name] ?? null, sample?.[name] ?? null]
      if (before === undefined || from === null || to === null || to < from) return null
      return (to - from) / (at - before.at)
    }),
  )
  return [rows.map(({ at }) => at), ...lines]
}

type Row = { at: number; sample: SeriesSample | undefined }

/** Whether a count that both samples know is another one: this page knows no admissions. */
const hasMoved = (a: SeriesSample, b: SeriesSample) =>
  seriesCounts.some((name) => a[name] !== null && b[name] !== null && a[name] !== b[name])

/** Between samples that are far apart and differ is a row without a sample. */
function withGaps(course: readonly CourseSample[]): Row[] {
  return course.flatMap((sample, i): Row[] => {
    const before = course[i - 1]
    const row = { at: sample.at, sample }
    if (before === undefined || !hasMoved(before, sample)) return [row]
    return sample.at - before.at <= longestGap[before.span]
      ? [row]
      : [{ at: before.at + 1, sample: undefined }, row]
  })
}

/** The last sample of each minute, the newest first: the rows of the table. */
export function minuteRows(course: readonly SeriesSample[], most: number): SeriesSample[] {
  const byMinute = new Map(course.map((sample) => [Math.floor(sample.at / 60), sample]))
  return [...byMinute.values()].reverse().slice(0, most)
}
