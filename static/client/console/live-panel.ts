/** The live numbers of a sale as tiles, with their chart. */
import { make, setText } from '../dom.ts'
import { type Chart, startChart } from './chart.ts'
import { tileNames, tilesOf } from './numbers.ts'
import type { Live } from './read.ts'
import { type Sample, withSample } from './samples.ts'
import type { ConsoleVoice } from './view.ts'

type LivePanel = { element: HTMLElement; draw(live: Live): void; destroy(): void }

export function livePanel(voice: ConsoleVoice): LivePanel {
  const tiles = new Map(tileNames.map((name) => [name, make('dd', { id: `live-${name}` }, '–')]))
  const chartPlace = make('div', { class: 'chart', role: 'img', 'aria-label': voice.t('live.chart') })
  const shown = (n: number | null) => {
    if (n === null) return '–'
    return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
  }
  let samples: readonly Sample[] = []
  let chart: Chart | undefined

  const element = make(
    'section',
    { class: 'panel' },
    make('h2', {}, voice.t('live.title')),
    make(
      'dl',
      { class: 'tiles' },
      ...tileNames.map((name) => make('div', {}, make('dt', {}, voice.t(`live.${name}`)), tiles.get(name))),
    ),
    chartPlace,
  )

  return {
    element,
    draw(live) {
      const numbers = tilesOf(live)
      for (const [name, tile] of tiles) setText(tile, shown(numbers[name]))
      for (const name of ['deadLetters', 'drift'] as const) {
        tiles.get(name)?.toggleAttribute('data-alarm', (numbers[name] ?? 0) !== 0)
      }
      samples = withSample(samples, { at: live.now, remaining: numbers.remaining, sold: live.sold })
      const labels = { remaining: voice.t('live.remaining'), sold: voice.t('live.sold') }
      // The chart measures its place, so it starts once the panel stands in the page.
      chart ??= startChart(chartPlace, labels, voice.locale())
      chart.draw(samples)
    },
    destroy: () => chart?.destroy(),
  }
}
