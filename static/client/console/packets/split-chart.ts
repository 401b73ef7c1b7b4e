/**
 * The bars of a split, with the numbers that sum it up. Drawn for the eye; the same stands in words
 * beside it.
 */
import { make, setText } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'
import type { Histogram, Spread } from './histogram.ts'

const numbers = ['min', 'median', 'mean', 'max'] as const

export function splitChart(voice: ConsoleVoice) {
  const bars = make('div', { class: 'split__bars', 'aria-hidden': 'true' })
  const ends = [make('span'), make('span')] as const
  const summary = make('p', { class: 'unseen', id: 'split-summary', role: 'status' })
  const tiles = new Map(numbers.map((name) => [name, make('dd', { id: `split-${name}` })]))
  const element = make(
    'div',
    { class: 'split__chart', id: 'split-chart' },
    bars,
    make('p', { class: 'split__ends', 'aria-hidden': 'true' }, ...ends),
    make(
      'dl',
      { class: 'tiles split__tiles' },
      ...numbers.map((name) => make('div', {}, make('dt', {}, voice.t(`split.${name}`)), tiles.get(name))),
    ),
    summary,
  )

  return {
    element,
    draw({ spread, histogram }: { spread: Spread; histogram: Histogram }, currency: string): void {
      const money = (amount: number) => voice.money(Math.round(amount), currency)
      const { start, width, counts } = histogram
      const highest = Math.max(...counts)
      bars.replaceChildren(
        ...counts.map((n, i) => {
          const from = start + i * width
          const args = { from: money(from), to: money(Math.min(spread.max, from + width - 1)), n }
          const bar = make('span', { title: voice.t('split.bar', args) })
          bar.style.height = `${(n / highest) * 100}%`
          // No packet leaves a gap; a single one among a million still shows.
          bar.style.visibility = n === 0 ? 'hidden' : 'visible'
          return bar
        }),
      )
      setText(ends[0], money(spread.min))
      setText(ends[1], money(spread.max))
      for (const [name, tile] of tiles) setText(tile, money(spread[name]))
      const { count, min, median, max } = spread
      const args = { n: count, min: money(min), median: money(median), max: money(max) }
      setText(summary, voice.t('split.summary', args))
    },
  }
}
