/**
 * The bars of a split, with the numbers that sum it up. Drawn for the eye; the same stands in words
 * beside it.
 */
import { splitMessages } from '../../../messages/catalogues.ts'
import { useViewWith } from '../view-place.ts'
import type { Histogram, Spread } from './histogram.ts'

export type Split = { spread: Spread; histogram: Histogram; currency: string }

export function SplitChart({ split, isHidden }: { split: Split | undefined; isHidden: boolean }) {
  const { voice } = useViewWith(splitMessages)
  const money = (amount: number) => (split ? voice.money(Math.round(amount), split.currency) : '')
  const { count = 0, min = 0, median = 0, max = 0 } = split?.spread ?? {}
  const { start = 0, width = 1, counts = [] } = split?.histogram ?? {}
  const highest = Math.max(...counts)
  const args = { n: count, min: money(min), median: money(median), max: money(max) }
  return (
    <div class="split__chart" id="split-chart" hidden={isHidden}>
      <div class="split__bars" aria-hidden="true">
        {counts.map((n, i) => {
          const from = start + i * width
          const bar = { from: money(from), to: money(Math.min(max, from + width - 1)), n }
          return (
            <span
              key={from}
              title={voice.t('split.bar', bar)}
              // No packet leaves a gap; a single one among a million still shows.
              style={{ height: `${(n / highest) * 100}%`, visibility: n === 0 ? 'hidden' : 'visible' }}
            />
          )
        })}
      </div>
      <p class="split__ends" aria-hidden="true">
        <span>{money(min)}</span>
        <span>{money(max)}</span>
      </p>
      <dl class="tiles split__tiles">
        {(['min', 'median', 'mean', 'max'] as const).map((name) => (
          <div key={name}>
            <dt>{voice.t(`split.${name}`)}</dt>
            <dd id={`split-${name}`}>{money(split?.spread[name] ?? 0)}</dd>
          </div>
        ))}
      </dl>
      <p class="unseen" id="split-summary" role="status">
        {split && voice.t('split.summary', args)}
      </p>
    </div>
  )
}
