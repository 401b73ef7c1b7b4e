/** The course of a sale: a chart of its units or of the clicks by their answer, and the same as a table. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Live, SaleSeries } from '../../../../core/api/control-answers.ts'
import { type SeriesSample, seriesColumns } from '../../../../core/sale/series.ts'
import { seriesMessages } from '../../../messages/catalogues.ts'
import { getSeries } from '../api.ts'
import { sayFor } from '../lib/kind-words.ts'
import { RowHead, ScrollTable, TableCell } from '../lib/scroll-table.tsx'
import { Segments } from '../lib/segments.tsx'
import { useViewWith } from '../view-place.ts'
import { type Chart, startChart } from './chart.ts'
import { type ChartColumns, clickColumns, clickLines, courseOf, minuteRows, unitColumns } from './samples.ts'

/** The looks of this page follow the kept series, so that it is read again rarely, ms. */
const readEveryMs = 60_000

/** Minutes of the table: an hour. */
const tableRows = 60

const noSeries = { seconds: seriesColumns([]), minutes: seriesColumns([]) }

const shownCharts = ['units', 'clicks'] as const

export function CoursePanel({ live, looks }: { live: Live; looks: readonly SeriesSample[] }) {
  const { voice } = useViewWith(seriesMessages)
  const { saleId, kind } = live.sale
  const [shown, setShown] = useState<(typeof shownCharts)[number]>('units')
  const course = courseOf(useSeries(saleId), looks)
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
      <CourseChart key={shown} label={voice.t(`series.${shown}Chart`)} names={names} columns={columns} />
      <CourseTable rows={minuteRows(course, tableRows)} live={live} />
    </div>
  )
}

/** What the table has kept; nothing before the first answer, and the last one while there is no other. */
function useSeries(saleId: string): Pick<SaleSeries, 'seconds' | 'minutes'> {
  const [series, setSeries] = useState<Pick<SaleSeries, 'seconds' | 'minutes'>>(noSeries)
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

/** The last sample of each minute: the counts since the sale was published. */
function CourseTable({ rows, live }: { rows: readonly SeriesSample[]; live: Live }) {
  const { voice } = useViewWith(seriesMessages)
  const say = sayFor(voice, live.sale.kind)
  const time = new Intl.DateTimeFormat(voice.locale(), { timeStyle: 'short' })
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
      <ScrollTable
        headings={[voice.t('series.time'), ...headings]}
        numbersFrom={1}
        labelledBy="course-caption"
      >
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
