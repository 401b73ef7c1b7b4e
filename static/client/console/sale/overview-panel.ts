/**
 * The first screen of a sale: what is left, sold and earned; how it goes now, when it opens, or how it
 * ended; what became of the requests; and a chart.
 */

import type { Live } from '../../../../core/api/control.ts'
import { noPace, paceAfter } from '../../../../core/sale/live-pace.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { make, setText } from '../../lib/dom.ts'
import { demandPanel } from '../gate/demand-panel.ts'
import { sayFor } from '../lib/kind-words.ts'
import { tileRow, tileText } from '../lib/tile-row.ts'
import type { ConsoleVoice } from '../view.ts'
import { type Chart, startChart } from './chart.ts'
import { tilesOf, tilesOfKind } from './numbers.ts'
import { presentPanel } from './present-panel.ts'
import { type Sample, withSample } from './samples.ts'

type OverviewPanel = { element: HTMLElement; draw(live: Live): void; destroy(): void }

export function overviewPanel(voice: ConsoleVoice, kind: SaleKind): OverviewPanel {
  const say = sayFor(voice, kind)
  const left = leftOfTotal(voice, kind)
  const sales = tileRow(voice, kind, tilesOfKind(kind).sales, 'overview__sales')
  const present = presentPanel(voice, kind)
  const demand = demandPanel(voice)
  const chartPlace = make('div', { class: 'chart', role: 'img', 'aria-label': say('live.chart') })
  let samples: readonly Sample[] = []
  let pace = noPace
  let chart: Chart | undefined

  const element = make(
    'section',
    { class: 'panel overview', id: 'overview' },
    make('h2', { class: 'unseen' }, voice.t('live.title')),
    make('div', { class: 'overview__numbers' }, left.element, sales.element, present.element),
    make('div', { class: 'overview__course' }, demand.element, chartPlace),
  )

  return {
    element,
    draw(live) {
      pace = paceAfter(pace, live)
      left.draw(live)
      sales.draw(live)
      present.draw(live, pace)
      demand.draw(live)
      samples = withSample(samples, {
        at: live.now,
        remaining: tilesOf(live).remaining,
        sold: live.orders.sold,
      })
      const labels = { remaining: say('live.remaining'), sold: say('live.sold') }
      // The chart measures its place, so it starts once the panel stands in the page.
      chart ??= startChart(chartPlace, labels, voice.locale())
      chart.draw(samples)
    },
    destroy: () => chart?.destroy(),
  }
}

/** How much is left, large, with a bar for its share. */
function leftOfTotal(voice: ConsoleVoice, kind: SaleKind) {
  const remaining = make('span', { class: 'left__number', id: 'live-remaining' }, '–')
  const ofTotal = make('span', { class: 'left__total', id: 'live-total' })
  const bar = make('div', { class: 'left__bar', 'aria-hidden': 'true' }, make('span'))
  const label = sayFor(voice, kind)('live.remaining')
  return {
    element: make(
      'dl',
      { class: 'left' },
      make('div', {}, make('dt', {}, label), make('dd', {}, remaining, ' ', ofTotal)),
      bar,
    ),
    draw(live: Live): void {
      const { remaining: n, total } = tilesOf(live)
      const { currency } = live.sale
      setText(remaining, tileText(voice, 'remaining', n, currency))
      const isCounted = total !== null && total >= 0
      setText(
        ofTotal,
        isCounted ? voice.t('overview.of', { total: total.toLocaleString(voice.locale()) }) : '',
      )
      bar.hidden = n === -1
      bar.style.setProperty('--share', String(isCounted && n !== null ? shareOf(n, total) : 0))
    },
  }
}

const shareOf = (n: number, total: number): number => Math.min(1, Math.max(0, n / Math.max(total, 1)))
