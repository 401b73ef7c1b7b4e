/**
 * An example of a split: the same algorithm that splits the packets on publishing (P1), run in the
 * browser with random numbers of its own. It reveals nothing about the real amounts.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Draw, drawFrom } from '../../../../core/lib/random-integers.ts'
import { splitPackets, type Wave } from '../../../../core/packets/packets.ts'
import { splitMessages } from '../../../messages/catalogues.ts'
import type { FormText } from '../form/form-text.ts'
import { Select } from '../lib/field.tsx'
import { currencyCode } from '../lib/typed.ts'
import { useViewWith } from '../view-place.ts'
import { spreadOf } from './histogram.ts'
import { randomWords } from './random-words.ts'
import { type Split, SplitChart } from './split-chart.tsx'
import { type TypedWaves, wavesIn } from './waves-text.ts'

/** The example is not redrawn at every key, because a long split would start again each time. */
const restMs = 250

/** Amounts split or counted in one go; longer work leaves the page its turn in between. */
const atOnce = 50_000

/** `look` is called with what the form says each time an example is drawn, or cannot be. */
type Props = { text: FormText; look(typed: TypedWaves): void }

export function SplitPreview({ text, look }: Props) {
  const { voice } = useViewWith(splitMessages)
  const [waves, setWaves] = useState<readonly Wave[]>([])
  const [which, setWhich] = useState('')
  const [split, setSplit] = useState<Split>()
  const latest = useRef(0)
  // Read when the example is drawn: a timer that began before a choice must not undo it.
  const wanted = useRef('')
  const chosen = Number(which) < waves.length ? which : ''

  async function show(): Promise<void> {
    latest.current += 1
    const turn = latest.current
    const typed = wavesIn(text)
    look(typed)
    const all = typed.kind === 'waves' ? typed.waves : []
    setWaves(all)
    if (all.length === 0) return
    const one =
      wanted.current !== '' && Number(wanted.current) < all.length
        ? all.slice(Number(wanted.current), Number(wanted.current) + 1)
        : all
    const amounts = await splitAll(one, drawFrom(randomWords()), () => turn !== latest.current)
    if (amounts !== undefined) setSplit({ ...spreadOf(amounts), currency: currencyCode(text.currency) })
  }

  useEffect(() => {
    const timer = setTimeout(() => void show(), restMs)
    return () => clearTimeout(timer)
  }, [text])
  const isEmpty = waves.length === 0
  const nth = waves.map((_, i) => [String(i), voice.t('window.nth', { n: i + 1 })] as const)
  return (
    <section class="group split" id="split" aria-labelledby="split-title">
      <h2 id="split-title">{voice.t('split.title')}</h2>
      <p class="field__hint">{voice.t('split.text')}</p>
      <div class="field field--inline" hidden={waves.length < 2}>
        <label for="split-which">{voice.t('split.which')}</label>
        <Select
          id="split-which"
          options={[['', voice.t('split.all')], ...(waves.length < 2 ? [] : nth)]}
          value={chosen}
          enter={(value) => {
            wanted.current = value
            setWhich(value)
            void show()
          }}
        />
      </div>
      <SplitChart split={split} isHidden={isEmpty} />
      <p class="empty" hidden={!isEmpty}>
        {voice.t('split.empty')}
      </p>
      <button type="button" class="button button--plain" id="split-again" hidden={isEmpty} onClick={() => void show()}>
        {voice.t('split.again')}
      </button>
    </section>
  )
}

/** The amounts of all waves; undefined when something else was typed meanwhile. */
async function splitAll(waves: readonly Wave[], draw: Draw, isStale: () => boolean): Promise<Float64Array | undefined> {
  const amounts = new Float64Array(waves.reduce((sum, { count }) => sum + count, 0))
  let [done, rested] = [0, 0]
  for (const wave of waves) {
    amounts.set(splitPackets(wave, draw), done)
    done += wave.count
    if (done - rested < atOnce) continue
    rested = done
    await aTurnOfThePage()
    if (isStale()) return undefined
  }
  return amounts
}

function aTurnOfThePage(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
