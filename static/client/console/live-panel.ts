/** The live numbers of a sale as tiles, with their chart. */
import { make, setText } from '../dom.ts'
import type { Live } from './api.ts'
import { type Chart, startChart } from './chart.ts'
import { type Sample, withSample } from './samples.ts'
import type { ConsoleVoice } from './view.ts'

const names = ['remaining', 'booked', 'sold', 'outbox', 'queue', 'inFlight', 'deadLetters'] as const

export type LivePanel = { element: HTMLElement; draw(live: Live): void; destroy(): void }

export function livePanel(voice: ConsoleVoice): LivePanel {
  const tiles = new Map(names.map((name) => [name, make('dd', { id: `live-${name}` }, '–')]))
  const chartPlace = make('div', { class: 'chart', role: 'img', 'aria-label': voice.t('live.chart') })
  const count = (n: number) => n.toLocaleString(voice.locale())
  let samples: readonly Sample[] = []
  let chart: Chart | undefined

  const element = make(
    'section',
    { class: 'panel' },
    make('h2', {}, voice.t('live.title')),
    make(
      'dl',
      { class: 'tiles' },
      ...names.map((name) => make('div', {}, make('dt', {}, voice.t(`live.${name}`)), tiles.get(name))),
    ),
    chartPlace,
  )

  return {
    element,
    draw(live) {
      const remaining = live.stock?.available ?? live.sale.stock
      const shown: Record<(typeof names)[number], string> = {
        remaining: remaining === -1 ? voice.t('live.unlimited') : count(remaining),
        booked: count(live.stock?.booked ?? 0),
        sold: count(live.sold),
        outbox: count(live.outbox),
        queue: count(live.queue.visible),
        inFlight: count(live.queue.inFlight),
        deadLetters: count(live.deadLetters),
      }
      for (const [name, tile] of tiles) setText(tile, shown[name])
      tiles.get('deadLetters')?.toggleAttribute('data-alarm', live.deadLetters > 0)
      samples = withSample(samples, { at: live.now, remaining, sold: live.sold })
      const labels = { remaining: voice.t('live.remaining'), sold: voice.t('live.sold') }
      // The chart measures its place, so it starts once the panel stands in the page.
      chart ??= startChart(chartPlace, labels, voice.locale())
      chart.draw(samples)
    },
    destroy: () => chart?.destroy(),
  }
}
