/**
 * The live numbers of a sale: how it goes, what is still being worked on, a chart, and the health
 * of the system.
 */

import type { Live } from '../../../core/api/control.ts'
import type { SaleKind } from '../../../core/settings.ts'
import { make, setText } from '../dom.ts'
import { type Chart, startChart } from './chart.ts'
import { sayFor } from './kind-words.ts'
import { isHealthy, isMoney, type TileName, tilesOf, tilesOfKind } from './numbers.ts'
import { type Sample, withSample } from './samples.ts'
import type { ConsoleVoice } from './view.ts'

type LivePanel = { element: HTMLElement; draw(live: Live): void; destroy(): void }

export function livePanel(voice: ConsoleVoice, kind: SaleKind): LivePanel {
  const say = sayFor(voice, kind)
  const { sales, work, health } = tilesOfKind(kind)
  const tiles = new Map(
    [...sales, ...work, ...health].map((name) => [name, make('dd', { id: `live-${name}` }, '–')]),
  )
  const chartPlace = make('div', { class: 'chart', role: 'img', 'aria-label': say('live.chart') })
  const healthLine = make('p', { class: 'health', id: 'health', role: 'status' })
  const details = make(
    'details',
    { class: 'more', id: 'health-details' },
    make('summary', {}, voice.t('health.title')),
    row('tiles tiles--small', health),
  )
  let samples: readonly Sample[] = []
  let chart: Chart | undefined
  let isWell = true

  const element = make(
    'section',
    { class: 'panel' },
    make('h2', {}, voice.t('live.title')),
    row('tiles', sales),
    row('tiles tiles--work', work),
    chartPlace,
    healthLine,
    details,
  )

  function row(look: string, names: readonly TileName[]): HTMLElement {
    const parts = names.map((name) => make('div', {}, make('dt', {}, say(`live.${name}`)), tiles.get(name)))
    return make('dl', { class: look }, ...parts)
  }

  function shown(name: TileName, n: number | null, currency: string): string {
    if (n === null) return '–'
    if (isMoney(name)) return voice.money(n, currency)
    return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
  }

  function drawHealth(live: Live): void {
    const wasWell = isWell
    isWell = isHealthy(live)
    setText(healthLine, voice.t(isWell ? 'health.good' : 'health.bad'))
    healthLine.dataset.state = isWell ? 'good' : 'bad'
    if (wasWell && !isWell) details.open = true
  }

  return {
    element,
    draw(live) {
      const numbers = tilesOf(live)
      for (const [name, tile] of tiles) setText(tile, shown(name, numbers[name], live.sale.currency))
      for (const name of ['deadLetters', 'drift'] as const) {
        tiles.get(name)?.toggleAttribute('data-alarm', (numbers[name] ?? 0) !== 0)
      }
      drawHealth(live)
      samples = withSample(samples, { at: live.now, remaining: numbers.remaining, sold: live.orders.sold })
      const labels = { remaining: say('live.remaining'), sold: say('live.sold') }
      // The chart measures its place, so it starts once the panel stands in the page.
      chart ??= startChart(chartPlace, labels, voice.locale())
      chart.draw(samples)
    },
    destroy: () => chart?.destroy(),
  }
}
