/** The live chart: remaining units and written orders over time. Its colours are the page's own. */
import uPlot from 'uplot'
import { columns, type Sample } from './samples.ts'

export type Chart = { draw(samples: readonly Sample[]): void; destroy(): void }

type Names = { remaining: string; sold: string }

const height = 150

/** Puts a chart into `place` that follows its width and the colour scheme. */
export function startChart(place: HTMLElement, names: Names, locale: string): Chart {
  const scheme = window.matchMedia('(prefers-color-scheme: dark)')
  let last: readonly Sample[] = []
  let plot = build()

  function build(): uPlot {
    return new uPlot({ ...sizeIn(place), ...looks(names, locale) }, columns(last), place)
  }

  const rebuild = () => {
    plot.destroy()
    plot = build()
  }
  const resize = new ResizeObserver(() => plot.setSize(sizeIn(place)))
  resize.observe(place)
  scheme.addEventListener('change', rebuild)

  return {
    draw(samples) {
      last = samples
      plot.setData(columns(samples))
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

/** The axes and lines, in the colours that the page has now. */
function looks(names: Names, locale: string): Omit<uPlot.Options, 'width' | 'height'> {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--ink-soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  const whole = (_: uPlot, values: number[]) =>
    values.map((n) => (Number.isInteger(n) ? n.toLocaleString(locale) : ''))
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const clock = (_: uPlot, values: number[]) => values.map((seconds) => time.format(seconds * 1000))
  return {
    padding: [12, 8, 0, 0],
    cursor: { show: false },
    legend: { live: false },
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] } },
    axes: [
      { ...axis, incrs: [1, 5, 15, 30, 60, 120, 300], space: 80, values: clock },
      { ...axis, size: 56, values: whole },
    ],
    series: [
      {},
      {
        label: names.remaining,
        stroke: colour('--accent'),
        width: 2,
        fill: colour('--accent-wash'),
        points: { show: false },
      },
      { label: names.sold, stroke: colour('--good'), width: 2, points: { show: false } },
    ],
  }
}
