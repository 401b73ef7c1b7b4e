/** The live numbers of a sale as tiles, with their chart. */
import type { SaleKind } from '../../../core/sale.ts'
import { make, setText } from '../dom.ts'
import { type Chart, startChart } from './chart.ts'
import { sayFor } from './kind-words.ts'
import { isMoney, type TileName, tilesOf, tilesOfKind } from './numbers.ts'
import type { Live } from './read.ts'
import { type Sample, withSample } from './samples.ts'
import type { ConsoleVoice } from './view.ts'

type LivePanel = { element: HTMLElement; draw(live: Live): void; destroy(): void }

export function livePanel(voice: ConsoleVoice, kind: SaleKind): LivePanel {
  const say = sayFor(voice, kind)
  const tiles = new Map(tilesOfKind(kind).map((name) => [name, make('dd', { id: `live-${name}` }, '–')]))
  const chartPlace = make('div', { class: 'chart', role: 'img', 'aria-label': say('live.chart') })
  let samples: readonly Sample[] = []
  let chart: Chart | undefined

  const element = make(
    'section',
    { class: 'panel' },
    make('h2', {}, voice.t('live.title')),
    row('tiles tiles--money', (name) => isMoney(name)),
    row('tiles', (name) => !isMoney(name)),
    chartPlace,
  )

  /** The tiles that are meant; nothing where the sale has none of them. */
  function row(look: string, isMeant: (name: TileName) => boolean): HTMLElement | undefined {
    const meant = [...tiles].filter(([name]) => isMeant(name))
    if (meant.length === 0) return undefined
    return make(
      'dl',
      { class: look },
      ...meant.map(([name, tile]) => make('div', {}, make('dt', {}, say(`live.${name}`)), tile)),
    )
  }

  function shown(name: TileName, n: number | null, currency: string): string {
    if (n === null) return '–'
    if (isMoney(name)) return voice.money(n, currency)
    return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
  }

  return {
    element,
    draw(live) {
      const numbers = tilesOf(live)
      for (const [name, tile] of tiles) setText(tile, shown(name, numbers[name], live.sale.currency))
      for (const name of ['deadLetters', 'drift'] as const) {
        tiles.get(name)?.toggleAttribute('data-alarm', (numbers[name] ?? 0) !== 0)
      }
      samples = withSample(samples, { at: live.now, remaining: numbers.remaining, sold: live.sold })
      const labels = { remaining: say('live.remaining'), sold: say('live.sold') }
      // The chart measures its place, so it starts once the panel stands in the page.
      chart ??= startChart(chartPlace, labels, voice.locale())
      chart.draw(samples)
    },
    destroy: () => chart?.destroy(),
  }
}
