/**
 * The stock of a sale, with a form to add or remove units. Red packets are split in advance and do
 * not change.
 */

import type { Live } from '../../../core/api/control.ts'
import { wholeOf } from '../../../core/packets.ts'
import type { SaleKind } from '../../../core/settings.ts'
import type { Choice } from '../confirm.ts'
import { make, setText } from '../dom.ts'
import { redraw } from '../redraw.ts'
import { agreed } from './agreed.ts'
import { stockEffect } from './effects.ts'
import { sayFor } from './kind-words.ts'
import type { UnitsChange } from './stock-keys.ts'
import type { ViewContext } from './view.ts'
import { workButton } from './work-button.ts'

type StockPanel = { element: HTMLElement; draw(live: Live): void }

/**
 * `change` is called with the units to add, negative to take away, of the variant that is chosen
 * where the sale has some; without it there is no form. What it will do is said while it is typed; to
 * take units away asks first.
 */
export function stockPanel(
  { voice }: Pick<ViewContext, 'voice'>,
  kind: SaleKind,
  change: ((change: UnitsChange) => Promise<void>) | undefined,
): StockPanel {
  const say = sayFor(voice, kind)
  const line = make('p', { id: 'stock-line' })
  const units = make('input', { id: 'delta', inputmode: 'numeric', value: '1', autocomplete: 'off' })
  const which = make('select', { id: 'delta-variant' })
  const whichField = make(
    'div',
    { class: 'field', hidden: true },
    make('label', { for: 'delta-variant' }, voice.t('variants.which')),
    which,
  )
  const count = (n: number) => n.toLocaleString(voice.locale())
  let latest: Live | undefined

  /** The change that is typed; undefined unless it is a whole number of 1 or more. */
  function typed(sign: 1 | -1): UnitsChange | undefined {
    const n = /^\d{1,8}$/.test(units.value.trim()) ? Number(units.value) : 0
    return n < 1 ? undefined : { delta: sign * n, ...(which.value !== '' && { variant: which.value }) }
  }

  async function press(sign: 1 | -1): Promise<void> {
    const wanted = typed(sign)
    const effect = wanted && latest && stockEffect(voice, latest, wanted)
    // What is wrong stands below the input, and describes it.
    const isWrong = wanted === undefined || effect === undefined || effect.isTooMany
    units.setAttribute('aria-invalid', String(isWrong))
    if (isWrong) return units.focus()
    if (sign === 1 || (await isMeant(effect.text))) await change?.(wanted)
  }

  function isMeant(text: string): Promise<boolean> {
    const choice: Choice = { value: 'remove', label: voice.t('stock.remove'), kind: 'danger' }
    return agreed(voice, {
      title: voice.t('effect.remove'),
      effects: [text, voice.t('effect.shown')],
      choice,
    })
  }

  function drawEffect(): void {
    const said = ([1, -1] as const).flatMap((sign) => {
      const wanted = typed(sign)
      if (latest === undefined || wanted === undefined) return []
      const { text } = stockEffect(voice, latest, wanted)
      return [voice.t(sign === 1 ? 'effect.ifAdded' : 'effect.ifRemoved', { effect: text })]
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

  const form = make(
    'div',
    { class: 'stock' },
    whichField,
    make('label', { for: 'delta' }, say('stock.delta')),
    units,
    button('stock-remove', -1, voice.t('stock.remove')),
    button('stock-add', 1, voice.t('stock.add')),
    effects,
  )
  const element = make('section', { class: 'panel' }, make('h2', {}, say('stock.title')), line, form)

  return {
    element,
    draw(live) {
      const { sale, stock } = live
      latest = live
      form.hidden = change === undefined || sale.stock === -1 || !sale.warmed || kind === 'red-packet'
      setText(line, words(sale, stock))
      drawVariants(sale)
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

  function words(sale: Live['sale'], stock: Live['stock']): string {
    if (!sale.warmed) return say('live.waiting')
    if (kind === 'red-packet') {
      const whole = wholeOf(sale)
      const money = voice.money(whole.totalAmount, sale.currency)
      return say('stock.split', { stock: say('console.stockOf', { n: whole.count }), money })
    }
    if (sale.stock === -1) return say('stock.unlimited')
    if (stock === null) return say('stock.unknown', { total: count(sale.stock) })
    return say('stock.now', { total: count(stock.total), booked: count(stock.booked) })
  }
}
