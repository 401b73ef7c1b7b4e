/** Shows the course of a sale: a chart of its units or of the clicks by answer, and a table. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { Live, SaleSeries } from '../../core/api/control-answers.ts'
import { type SeriesSample, samplesIn, seriesColumns } from '../../core/sale/series.ts'
import { control } from '../api.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Segments } from '../parts/field.tsx'
import { sayFor } from '../parts/kind-words.ts'
import { useRepeatedRead } from '../parts/repeated-read.ts'
import { useView } from '../view.ts'
import { countText } from './numbers.ts'
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

/** The interval at which the stored series is read, ms. Live samples follow it. */
const readEveryMs = 60_000

/** The most rows of the table: an hour of minutes. */
const maxRows = 60
const hour = 3600

/** Days before the last one that are read, one a request: those of a sale that moved every hour of two months. */
const maxDays = 60

const noSeries: SaleSeries = { seconds: seriesColumns([]), minutes: seriesColumns([]), next: null }

const shownCharts = ['units', 'clicks'] as const
const shownTimes = ['whole', 'hour'] as const

export function CoursePanel({ live, looks }: { live: Live; looks: readonly SeriesSample[] }) {
  const { voice } = useView()
  const { saleId, kind } = live.sale
  const [shown, setShown] = useState<(typeof shownCharts)[number]>('units')
  const [time, setTime] = useState<(typeof shownTimes)[number]>('whole')
  // The live numbers of the same page say that the shop does not answer.
  const series = useRepeatedRead(readEveryMs, () => control.getSeries({ saleId }), { about: saleId }) ?? noSeries
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
      <CourseTable rows={tableRows(course, maxRows)} live={live} />
    </div>
  )
}

/** The days before `next` of the last answer, thinned; read again when it moves, which is once an hour. */
function useEarlier(saleId: string, next: number | null): readonly CourseSample[] {
  const [earlier, setEarlier] = useState<readonly CourseSample[]>([])
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const days: SeriesSample[][] = []
      for (let before = next; before !== null && days.length < maxDays && !isGone; ) {
        const answer = await control.getSeries({ saleId, query: { before: String(before) } })
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
  const { voice } = useView()
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
  const { voice } = useView()
  const say = sayFor(voice, live.sale.kind)
  const isOfDays = courseSeconds(rows.toReversed()) >= day
  const time = new Intl.DateTimeFormat(voice.locale(), { timeStyle: 'short', ...(isOfDays && { dateStyle: 'short' }) })
  const heading = (name: (typeof tableCounts)[number]) => {
    if (name === 'left') return say('live.remaining')
    return name === 'taken' ? say('live.booked') : voice.t(`series.${name}`)
  }
  return (
    <details class="more" id="course-table" hidden={rows.length === 0}>
      <summary>{voice.t('series.table')}</summary>
      <p id="course-caption">{voice.t('series.caption')}</p>
      <DataTable
        columns={[
          { heading: voice.t('series.time'), kind: 'name', cell: ({ at }) => time.format(at * 1000) },
          ...tableCounts.map(
            (name): Column<SeriesSample> => ({
              heading: heading(name),
              kind: 'number',
              cell: (row) => countText(voice, row[name]),
            }),
          ),
        ]}
        rows={rows}
        keyOf={({ at }) => at}
        labelledBy="course-caption"
      />
    </details>
  )
}

/** A chart of the course of a sale. Its colours are the page's own, and its lines differ in pattern as well. */
type Chart = { draw(columns: ChartColumns): void; destroy(): void }

const height = 150

/** Line patterns by place, in pixels drawn and left out: so that they differ without their colours. */
const patterns = [[], [8, 4], [2, 3], [10, 3, 2, 3]] as const
const colours = ['--accent', '--good', '--bad', '--ink-soft'] as const

/** Puts a chart with a line for each of `names` into `place` that follows its width and the colour scheme. */
function startChart(place: HTMLElement, names: readonly string[], locale: string): Chart {
  const scheme = window.matchMedia('(prefers-color-scheme: dark)')
  let last: ChartColumns = [[], ...names.map(() => [])]
  let plot = build()

  function build(): uPlot {
    return new uPlot({ ...sizeIn(place), ...looks(names, locale) }, last, place)
  }

  const rebuild = () => {
    plot.destroy()
    plot = build()
  }
  const resize = new ResizeObserver(() => plot.setSize(sizeIn(place)))
  resize.observe(place)
  scheme.addEventListener('change', rebuild)

  return {
    draw(columns) {
      last = columns
      plot.setData(columns)
    },
    destroy() {
      resize.disconnect()
      scheme.removeEventListener('change', rebuild)
      plot.destroy()
    },
  }
}

function sizeIn(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(240, place.clientWidth), height }
}

const day = 86_400

/** Returns the format of times (epoch seconds) under a chart. Several days need the weekday or the date. */
function timeFormat(values: readonly number[]): Intl.DateTimeFormatOptions {
  const [first = 0, second = first, last = second] = [values[0], values[1], values.at(-1)]
  if (second - first >= day) return { day: 'numeric', month: 'short' }
  if (last - first < day) return { timeStyle: 'medium' }
  return { weekday: 'short', hour: 'numeric', minute: '2-digit' }
}

/** The axes and lines, in the colours that the page has now. */
function looks(names: readonly string[], locale: string): Omit<uPlot.Options, 'width' | 'height'> {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--ink-soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  const whole = (_: uPlot, values: number[]) => values.map((n) => (Number.isInteger(n) ? n.toLocaleString(locale) : ''))
  const clock = (_: uPlot, values: number[]) => {
    const time = new Intl.DateTimeFormat(locale, timeFormat(values))
    return values.map((seconds) => time.format(seconds * 1000))
  }
  return {
    // At the right for half of the label of a time at the end.
    padding: [12, 40, 0, 0],
    cursor: { show: false },
    legend: { live: false, markers: { dash: (_, line) => (line === 1 ? 'solid' : 'dashed') } },
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] } },
    axes: [
      {
        ...axis,
        incrs: [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 21_600, day, 7 * day, 30 * day],
        space: 80,
        values: clock,
      },
      { ...axis, size: 56, values: whole },
    ],
    series: [
      {},
      ...names.map((label, i) => ({
        label,
        stroke: colour(colours[i] ?? '--ink-soft'),
        width: 2,
        dash: [...(patterns[i] ?? [])],
        ...(i === 0 && { fill: colour('--accent-wash') }),
        points: { show: false },
      })),
    ],
  }
}
