/** The form that adds units to a stock or removes some. */
import type { Live } from '../../../../core/api/control.ts'
import type { Choice } from '../../lib/confirm.ts'
import { make } from '../../lib/dom.ts'
import { redraw } from '../../lib/redraw.ts'
import { askBefore } from '../lib/ask-before.ts'
import { workButton } from '../lib/work-button.ts'
import { stockEffect } from '../sale/effects.ts'
import type { ConsoleVoice } from '../view.ts'
import type { UnitsChange } from './stock-keys.ts'

type StockForm = { element: HTMLElement; draw(live: Live): void }

/**
 * `change` is called with the units to add, negative to take away, of the variant that is chosen
 * where the sale has some. What it will do is said while it is typed; to take units away asks first.
 */
export function stockForm(
  voice: ConsoleVoice,
  label: string,
  change: (change: UnitsChange) => Promise<void>,
): StockForm {
  const units = make('input', { id: 'delta', inputmode: 'numeric', value: '1', autocomplete: 'off' })
  const which = make('select', { id: 'delta-variant' })
  const whichField = make(
    'div',
    { class: 'field', hidden: true },
    make('label', { for: 'delta-variant' }, voice.t('variants.which')),
    which,
  )
  let latest: Live | undefined

  /** The change that is typed; undefined unless it is a whole number of 1 or more. */
  function typed(sign: 1 | -1): UnitsChange | undefined {
    const n = /^\d{1,8}$/.test(units.value.trim()) ? Number(units.value) : 0
    return n < 1 ? undefined : { delta: sign * n, ...(which.value !== '' && { variant: which.value }) }
  }

  async function press(sign: 1 | -1): Promise<void> {
    const wanted = typed(sign)
    units.setAttribute('aria-invalid', String(wanted === undefined))
    if (wanted === undefined || latest === undefined) return units.focus()
    if (sign === 1 || (await isMeant(stockEffect(voice, latest, wanted)))) await change(wanted)
  }

  function isMeant(text: string): Promise<boolean> {
    const choice: Choice = { value: 'remove', label: voice.t('stock.remove'), kind: 'danger' }
    return askBefore(voice, {
      title: voice.t('effect.remove'),
      effects: [text, voice.t('effect.shown')],
      choice,
    })
  }

  function drawEffect(): void {
    const said = ([1, -1] as const).flatMap((sign) => {
      const wanted = typed(sign)
      if (latest === undefined || wanted === undefined) return []
      const effect = stockEffect(voice, latest, wanted)
      return [voice.t(sign === 1 ? 'effect.ifAdded' : 'effect.ifRemoved', { effect })]
    })
    const shown = said.length === 0 ? [] : [...said, voice.t('effect.shown')]
    redraw(effects, ...shown.map((text) => make('p', {}, text)))
  }

  const effects = make('div', { class: 'stock__effect', id: 'stock-effect' })
  units.addEventListener('input', drawEffect)
  units.setAttribute('aria-describedby', 'stock-effect')
  which.addEventListener('change', drawEffect)
  const button = (id: string, sign: 1 | -1, label: string) =>
    workButton(id, 'plain', label, () => press(sign))

  const element = make(
    'div',
    { class: 'stock' },
    whichField,
    make('label', { for: 'delta' }, label),
    units,
    button('stock-remove', -1, voice.t('stock.remove')),
    button('stock-add', 1, voice.t('stock.add')),
    effects,
  )

  return {
    element,
    draw(live) {
      latest = live
      drawVariants(live.sale)
      drawEffect()
    },
  }

  /** A list that is open under the pointer stays as it is. */
  function drawVariants({ variants = [] }: Live['sale']): void {
    whichField.hidden = variants.length === 0
    const options = variants.map(({ id, name }) => `${id} ${name}`).join('\n')
    if (which.dataset.options === options) return
    which.dataset.options = options
    const chosen = which.value
    which.replaceChildren(...variants.map(({ id, name }) => make('option', { value: id }, name)))
    if (variants.some(({ id }) => id === chosen)) which.value = chosen
  }
}
