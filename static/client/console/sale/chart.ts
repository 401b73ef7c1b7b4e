/** A chart of the course of a sale. Its colours are the page's own, and its lines differ in pattern as well. */
import uPlot from 'uplot'
import type { ChartColumns } from './samples.ts'

export type Chart = { draw(columns: ChartColumns): void; destroy(): void }

const height = 150

/** Line patterns by place, in pixels drawn and left out: so that they differ without their colours. */
const patterns = [[], [8, 4], [2, 3], [10, 3, 2, 3]] as const
const colours = ['--accent', '--good', '--bad', '--ink-soft'] as const

/** Puts a chart with a line for each of `names` into `place` that follows its width and the colour scheme. */
export function startChart(place: HTMLElement, names: readonly string[], locale: string): Chart {
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

/** That of the moments (epoch seconds) under a chart: of several days the time needs its weekday, and then its date. */
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
