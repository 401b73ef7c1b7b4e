/**
 * The stock of a sale, with a form to add or remove units. Red packets are split in advance and do
 * not change.
 */

import type { Live } from '../../../core/api/control.ts'
import { wholeOf } from '../../../core/packets.ts'
import type { SaleKind } from '../../../core/settings.ts'
import { make, setText } from '../dom.ts'
import { sayFor } from './kind-words.ts'
import type { UnitsChange } from './stock-keys.ts'
import type { ConsoleVoice } from './view.ts'

type StockPanel = { element: HTMLElement; draw(live: Live): void }

/**
 * `change` is called with the units to add, negative to take away, of the variant that is chosen
 * where the sale has some; without it there is no form.
 */
export function stockPanel(
  voice: ConsoleVoice,
  kind: SaleKind,
  change: ((change: UnitsChange) => void) | undefined,
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

  const press = (sign: 1 | -1) => () => {
    const n = /^\d{1,8}$/.test(units.value.trim()) ? Number(units.value) : 0
    units.setAttribute('aria-invalid', String(n < 1))
    if (n < 1) units.focus()
    else change?.({ delta: sign * n, ...(which.value !== '' && { variant: which.value }) })
  }
  const button = (id: string, sign: 1 | -1, label: string) =>
    make('button', { type: 'button', class: 'button button--plain', id, click: press(sign) }, label)

  const form = make(
    'div',
    { class: 'stock' },
    whichField,
    make('label', { for: 'delta' }, say('stock.delta')),
    units,
    button('stock-remove', -1, voice.t('stock.remove')),
    button('stock-add', 1, voice.t('stock.add')),
  )
  const element = make('section', { class: 'panel' }, make('h2', {}, say('stock.title')), line, form)

  return {
    element,
    draw({ sale, stock }) {
      form.hidden = change === undefined || sale.stock === -1 || !sale.warmed || kind === 'red-packet'
      setText(line, words(sale, stock))
      drawVariants(sale)
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
