/**
 * An example of a split: the same algorithm that splits the packets on publishing (P1), run in the browser with random
 * numbers of its own. It reveals nothing about the real amounts.
 */
import { useEffect, useState } from 'preact/hooks'
import { type RandomInteger, randomIntegerFrom } from '../../core/lib/random-integers.ts'
import {
  maxPacketAmount,
  maxPackets,
  type PacketBatch,
  packetBatches,
  splitPackets,
} from '../../core/packets/packets.ts'
import { Select } from '../parts/field.tsx'
import { textAt } from '../parts/text-parts.ts'
import { Tiles } from '../parts/tiles.tsx'
import { currencyCode } from '../parts/typed.ts'
import { PlainButton } from '../parts/work-button.tsx'
import { useView } from '../view.ts'
import { type FormText, readText } from './form-text.ts'

/** The example is not redrawn at every key, because a long split would start again each time. */
const restMs = 250

/** Amounts split or counted in one go; longer work yields to the page in between. */
const batchSize = 50_000

/** `look` is called with the paths of amounts that are too small each time an example is drawn, or cannot be. */
type Props = { text: FormText; look(short: readonly string[]): void }

export function SplitPreview({ text, look }: Props) {
  const { voice } = useView()
  const [waves, setWaves] = useState<readonly PacketBatch[]>([])
  const [which, setWhich] = useState('')
  const [split, setSplit] = useState<Split>()
  const [redraws, setRedraws] = useState(0)
  const chosen = Number(which) < waves.length ? which : ''

  useEffect(() => {
    let isStale = false
    async function show(): Promise<void> {
      const { waves: all, short } = wavesIn(text)
      look(short)
      setWaves(all)
      if (all.length === 0) return
      const one = which === '' ? undefined : all[Number(which)]
      const amounts = await splitAll(one ? [one] : all, randomIntegerFrom(randomWords()), () => isStale)
      if (amounts !== undefined) setSplit({ ...spreadOf(amounts), currency: currencyCode(textAt(text, 'currency')) })
    }
    const timer = setTimeout(() => void show(), restMs)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [text, which, redraws])
  const isEmpty = waves.length === 0
  const nth = waves.map((_, i) => [String(i), voice.t('window.nth', { n: i + 1 })] as const)
  return (
    <section class="grid group split" id="split" aria-labelledby="split-title">
      <h2 id="split-title">{voice.t('split.title')}</h2>
      <p class="field__hint">{voice.t('split.text')}</p>
      <div class="field field--inline" hidden={waves.length < 2}>
        <label for="split-which">{voice.t('split.which')}</label>
        <Select
          id="split-which"
          options={[['', voice.t('split.all')], ...(waves.length < 2 ? [] : nth)]}
          value={chosen}
          enter={setWhich}
        />
      </div>
      <SplitChart split={split} isHidden={isEmpty} />
      <p class="empty" hidden={!isEmpty}>
        {voice.t('split.empty')}
      </p>
      <PlainButton id="split-again" hidden={isEmpty} onClick={() => setRedraws(redraws + 1)}>
        {voice.t('split.again')}
      </PlainButton>
    </section>
  )
}

/** The amounts of all waves; undefined when something else was typed meanwhile. */
async function splitAll(
  waves: readonly PacketBatch[],
  draw: RandomInteger,
  isStale: () => boolean,
): Promise<Float64Array | undefined> {
  const amounts = new Float64Array(waves.reduce((sum, { count }) => sum + count, 0))
  let [done, rested] = [0, 0]
  for (const wave of waves) {
    amounts.set(splitPackets(wave, draw), done)
    done += wave.count
    if (done - rested < batchSize) continue
    rested = done
    await aTurnOfThePage()
    if (isStale()) return undefined
  }
  return amounts
}

function aTurnOfThePage(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** The bars of a split, with the numbers that sum it up. Drawn for the eye; the same stands in words beside it. */
type Split = { spread: Spread; histogram: Histogram; currency: string }

function SplitChart({ split, isHidden }: { split: Split | undefined; isHidden: boolean }) {
  const { voice } = useView()
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
      <p class="split__ends note" aria-hidden="true">
        <span>{money(min)}</span>
        <span>{money(max)}</span>
      </p>
      <Tiles
        look="split__tiles"
        all={(['min', 'median', 'mean', 'max'] as const).map((name) => ({
          ...{ name: voice.t(`split.${name}`), id: `split-${name}`, value: money(split?.spread[name] ?? 0) },
        }))}
      />
      <p class="unseen" id="split-summary" role="status">
        {split && voice.t('split.summary', args)}
      </p>
    </div>
  )
}

/** How amounts in minor units are spread; `median` is the middle one, the lower of two. */
type Spread = { count: number; min: number; median: number; mean: number; max: number }

/** Bar `i` counts the amounts from `start + i × width` up to, not including, the start of the next bar. */
type Histogram = { start: number; width: number; counts: readonly number[] }

const fewestBars = 8
const maxBars = 28

/** The spread of one or more whole `amounts`; more of them get more bars (Rice's rule). */
export function spreadOf(amounts: Float64Array): { spread: Spread; histogram: Histogram } {
  let [min, max, sum] = [Number.POSITIVE_INFINITY, 0, 0]
  for (const amount of amounts) {
    if (amount < min) min = amount
    if (amount > max) max = amount
    sum += amount
  }
  const bars = Math.min(maxBars, Math.max(fewestBars, Math.ceil(2 * Math.cbrt(amounts.length))))
  const width = Math.max(1, Math.ceil((max - min + 1) / bars))
  const counts = Array.from({ length: Math.floor((max - min) / width) + 1 }, () => 0)
  const barOf = (amount: number) => Math.floor((amount - min) / width)
  for (const amount of amounts) counts[barOf(amount)] = (counts[barOf(amount)] ?? 0) + 1
  const histogram = { start: min, width, counts }
  const mean = sum / amounts.length
  return { spread: { count: amounts.length, min, median: medianOf(amounts, histogram), mean, max }, histogram }
}

/** Sorts only the bar that holds the middle: to sort a million amounts takes longer than to split them. */
function medianOf(amounts: Float64Array, { start, width, counts }: Histogram): number {
  const middle = Math.floor((amounts.length - 1) / 2)
  let [bar, before] = [0, 0]
  while (before + (counts[bar] ?? 0) <= middle) {
    before += counts[bar] ?? 0
    bar += 1
  }
  const from = start + bar * width
  return amounts.filter((amount) => amount >= from && amount < from + width).sort()[middle - before] ?? start
}

/** The most words for one call of `getRandomValues`: 65,536 bytes. */
const wordsAtOnce = 16_384

/** Words of 32 bits out of the browser's own chance, fetched many at a time because a call for each would be slow. */
export function randomWords(): () => number {
  const words = new Uint32Array(wordsAtOnce)
  let at = wordsAtOnce
  return () => {
    if (at === wordsAtOnce) {
      crypto.getRandomValues(words)
      at = 0
    }
    const word = words[at] ?? 0
    at += 1
    return word
  }
}

/**
 * The packets that are entered, as far as they can be split: none while there is something yet to be typed, or it is more than
 * a sale can hold. `short` are the paths of the amounts that are too small to give every packet something.
 */
export function wavesIn(text: FormText): { waves: readonly PacketBatch[]; short: readonly string[] } {
  const { packets = {}, windows = [] } = readText(text)
  const waves = packetBatches({ packets: packets as PacketBatch, windows })
  const short = waves.flatMap(({ count, totalAmount }, i) => {
    if (!(count > totalAmount)) return []
    return [windows.length === 0 ? 'packets.totalAmount' : `windows.${i}.totalAmount`]
  })
  const isComplete = waves.every(({ count, totalAmount }) => count >= 1 && totalAmount <= maxPacketAmount)
  const sum = waves.reduce((all, { count }) => all + count, 0)
  return { waves: short.length === 0 && isComplete && sum <= maxPackets ? waves : [], short }
}
