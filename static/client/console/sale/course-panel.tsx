/** The course of a sale: a chart of its units or of the clicks by their answer, and the same as a table. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Live, SaleSeries } from '../../../../core/api/control-answers.ts'
import { type SeriesSample, samplesIn, seriesColumns } from '../../../../core/sale/series.ts'
import { seriesMessages } from '../../../messages/catalogues.ts'
import { getSeries } from '../api.ts'
import { sayFor } from '../lib/kind-words.ts'
import { RowHead, ScrollTable, TableCell } from '../lib/scroll-table.tsx'
import { Segments } from '../lib/segments.tsx'
import { useViewWith } from '../view-place.ts'
import { type Chart, startChart } from './chart.ts'
import {
  type ChartColumns,
  type CourseSample,
  clickColumns,
  clickLines,
  courseOf,
  courseSeconds,
  lastOf,
  tableRows,
  thinned,
  unitColumns,
} from './samples.ts'

/** The looks of this page follow the kept series, so that it is read again rarely, ms. */
const readEveryMs = 60_000

/** Rows of the table: an hour of minutes. */
const mostRows = 60
const [hour, day] = [3600, 86_400]

/** Days before the last one that are read, one a request: those of a sale that moved every hour of two months. */
const mostDays = 60

const noSeries: SaleSeries = { seconds: seriesColumns([]), minutes: seriesColumns([]), next: null }

const shownCharts = ['units', 'clicks'] as const
const shownTimes = ['whole', 'hour'] as const

export function CoursePanel({ live, looks }: { live: Live; looks: readonly SeriesSample[] }) {
  const { voice } = useViewWith(seriesMessages)
  const { saleId, kind } = live.sale
  const [shown, setShown] = useState<(typeof shownCharts)[number]>('units')
  const [time, setTime] = useState<(typeof shownTimes)[number]>('whole')
  const series = useSeries(saleId)
  const whole = courseOf(series, looks, useEarlier(saleId, series.next))
  const isLong = courseSeconds(whole) > hour
  const course = isLong && time === 'hour' ? lastOf(whole, hour) : whole
  const say = sayFor(voice, kind)
  const names =
    shown === 'units'
      ? [say('live.remaining'), say('live.booked')]
      : clickLines.map((name) => voice.t(`series.${name}`))
  const columns = shown === 'units' ? unitColumns(course) : clickColumns(course)
  return (
    <div>
      <Segments
        name="course"
        legend={voice.t('series.legend')}
        options={shownCharts.map((name) => [name, voice.t(`series.${name}`)])}
        chosen={shown}
        choose={(name) => setShown(name)}
      />
      {isLong && (
        <Segments
          name="course-time"
          legend={voice.t('series.period')}
          options={shownTimes.map((name) => [name, voice.t(`series.${name}`)])}
          chosen={time}
          choose={(name) => setTime(name)}
        />
      )}
      <CourseChart key={shown} label={voice.t(`series.${shown}Chart`)} names={names} columns={columns} />
      <CourseTable rows={tableRows(course, mostRows)} live={live} />
    </div>
  )
}

/** What the table has kept; nothing before the first answer, and the last one while there is no other. */
function useSeries(saleId: string): SaleSeries {
  const [series, setSeries] = useState(noSeries)
  useEffect(() => {
    let isGone = false
    const read = async () => {
      if (document.hidden) return
      const answer = await getSeries(saleId)
      // The live numbers of the same page say that the shop does not answer.
      if (answer.ok && !isGone) setSeries(answer.value)
    }
    void read()
    const timer = window.setInterval(read, readEveryMs)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [saleId])
  return series
}

/** The days before `next` of the last answer, thinned; read again when it moves, which is once an hour. */
function useEarlier(saleId: string, next: number | null): readonly CourseSample[] {
  const [earlier, setEarlier] = useState<readonly CourseSample[]>([])
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const days: SeriesSample[][] = []
      for (let before = next; before !== null && days.length < mostDays && !isGone; ) {
        const answer = await getSeries(saleId, before)
        if (!answer.ok) break
        days.unshift(samplesIn(answer.value.minutes))
        before = answer.value.next
      }
      if (!isGone) setEarlier(thinned(days.flat()))
    }
    if (next !== null) void read()
    return () => {
      isGone = true
    }
  }, [saleId, next])
  return earlier
}

type ChartProps = { label: string; names: readonly string[]; columns: ChartColumns }

function CourseChart({ label, names, columns }: ChartProps) {
  const { voice } = useViewWith(seriesMessages)
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart>(undefined)
  useLayoutEffect(() => {
    if (place.current === null) return
    const started = startChart(place.current, names, voice.locale())
    chart.current = started
    return started.destroy
  }, [])
  useLayoutEffect(() => chart.current?.draw(columns), [columns])
  return <div class="chart" role="img" aria-label={label} ref={place} />
}

const tableCounts = ['left', 'taken', 'asked', 'admitted', 'won', 'soldOut', 'full'] as const

/** The last sample of each minute or longer span: the counts since the sale was published. */
function CourseTable({ rows, live }: { rows: readonly SeriesSample[]; live: Live }) {
  const { voice } = useViewWith(seriesMessages)
  const say = sayFor(voice, live.sale.kind)
  const isOfDays = courseSeconds(rows.toReversed()) >= day
  const time = new Intl.DateTimeFormat(voice.locale(), {
    timeStyle: 'short',
    ...(isOfDays && { dateStyle: 'short' }),
  })
  const headings = tableCounts.map((name) => {
    if (name === 'left') return say('live.remaining')
    return name === 'taken' ? say('live.booked') : voice.t(`series.${name}`)
  })
  const text = (n: number | null) =>
    n === null ? '–' : n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
  return (
    <details class="more" id="course-table" hidden={rows.length === 0}>
      <summary>{voice.t('series.table')}</summary>
      <p id="course-caption">{voice.t('series.caption')}</p>
      <ScrollTable headings={[voice.t('series.time'), ...headings]} numbersFrom={1} labelledBy="course-caption">
        {rows.map((row) => (
          <tr key={row.at} role="row">
            <RowHead>{time.format(row.at * 1000)}</RowHead>
            {tableCounts.map((name, i) => (
              <TableCell key={name} class="number" label={headings[i] ?? ''}>
                {text(row[name])}
              </TableCell>
            ))}
          </tr>
        ))}
      </ScrollTable>
    </details>
  )
}
