/**
 * An example of a split: the same algorithm that splits the packets on publishing (P1), run in the
 * browser with random numbers of its own. It reveals nothing about the real amounts.
 */

import { type Draw, drawFrom } from '../../../../core/lib/random-integers.ts'
import { splitPackets, type Wave } from '../../../../core/packets/packets.ts'
import { make } from '../../lib/dom.ts'
import { currencyCode } from '../lib/typed.ts'
import type { ConsoleVoice } from '../view.ts'
import { spreadOf } from './histogram.ts'
import { randomWords } from './random-words.ts'
import { splitChart } from './split-chart.ts'
import type { TypedWaves } from './waves-text.ts'

/** The example is not redrawn at every key, because a long split would start again each time. */
const restMs = 250

/** Amounts split or counted in one go; longer work leaves the page its turn in between. */
const atOnce = 50_000

/** What the form says of the packets, and the currency as typed. */
type Entered = { typed: TypedWaves; currency: string }

/** `onLook` is called with what the form says each time an example is drawn, or cannot be. */
export function splitPreview(voice: ConsoleVoice, read: () => Entered, onLook: (typed: TypedWaves) => void) {
  const draw = drawFrom(randomWords())
  const chart = splitChart(voice)
  const empty = make('p', { class: 'empty' }, voice.t('split.empty'))
  const which = make('select', { id: 'split-which', change: () => void show() })
  const whichField = make(
    'div',
    { class: 'field field--inline' },
    make('label', { for: 'split-which' }, voice.t('split.which')),
    which,
  )
  const again = make(
    'button',
    { type: 'button', class: 'button button--plain', id: 'split-again', click: () => void show() },
    voice.t('split.again'),
  )
  const element = make(
    'section',
    { class: 'group split', id: 'split', 'aria-labelledby': 'split-title' },
    make('h2', { id: 'split-title' }, voice.t('split.title')),
    make('p', { class: 'field__hint' }, voice.t('split.text')),
    whichField,
    chart.element,
    empty,
    again,
  )
  // Before anything is typed there is nothing to choose from, and no example to draw.
  for (const part of [whichField, chart.element, again]) part.hidden = true
  let timer = 0
  let latest = 0

  async function show(): Promise<void> {
    latest += 1
    const turn = latest
    const { typed, currency } = read()
    onLook(typed)
    const waves = typed.kind === 'waves' ? typed.waves : []
    for (const part of [chart.element, again]) part.hidden = waves.length === 0
    empty.hidden = waves.length > 0
    whichField.hidden = waves.length < 2
    offerWaves(voice, which, waves.length)
    if (waves.length === 0) return
    const chosen = which.value === '' ? waves : waves.slice(Number(which.value), Number(which.value) + 1)
    const amounts = await splitAll(chosen, draw, () => turn !== latest)
    if (amounts === undefined) return
    chart.draw(spreadOf(amounts), currencyCode(currency))
  }

  return {
    element,
    /** Looks at the form again, once it has not changed for a moment. */
    look(): void {
      clearTimeout(timer)
      timer = window.setTimeout(() => void show(), restMs)
    },
  }
}

/** One entry for each of several waves; the one that was chosen stays so while it is there. */
function offerWaves(voice: ConsoleVoice, which: HTMLSelectElement, waves: number): void {
  const entries = waves < 2 ? 1 : waves + 1
  if (which.options.length === entries) return
  const before = which.value
  which.replaceChildren(
    make('option', { value: '' }, voice.t('split.all')),
    ...Array.from({ length: entries - 1 }, (_, i) =>
      make('option', { value: i }, voice.t('window.nth', { n: i + 1 })),
    ),
  )
  which.value = Number(before) < waves ? before : ''
}

/** The amounts of all waves; undefined when something else was typed meanwhile. */
async function splitAll(
  waves: readonly Wave[],
  draw: Draw,
  isStale: () => boolean,
): Promise<Float64Array | undefined> {
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
