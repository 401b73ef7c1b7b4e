/** More or fewer units of a sale whose stock is on the shelf. */
import { make, setText } from '../dom.ts'
import type { Live } from './read.ts'
import type { ConsoleVoice } from './view.ts'

type StockPanel = { element: HTMLElement; draw(live: Live): void }

/** `change` is called with the units to add, negative to take away. */
export function stockPanel(voice: ConsoleVoice, change: (delta: number) => void): StockPanel {
  const line = make('p', { id: 'stock-line' })
  const units = make('input', { id: 'delta', inputmode: 'numeric', value: '1', autocomplete: 'off' })
  const count = (n: number) => n.toLocaleString(voice.locale())

  const press = (sign: 1 | -1) => () => {
    const n = /^\d{1,8}$/.test(units.value.trim()) ? Number(units.value) : 0
    units.setAttribute('aria-invalid', String(n < 1))
    if (n < 1) units.focus()
    else change(sign * n)
  }
  const button = (id: string, sign: 1 | -1, label: string) =>
    make('button', { type: 'button', class: 'button button--plain', id, click: press(sign) }, label)

  const form = make(
    'div',
    { class: 'stock' },
    make('label', { for: 'delta' }, voice.t('stock.delta')),
    units,
    button('stock-remove', -1, voice.t('stock.remove')),
    button('stock-add', 1, voice.t('stock.add')),
  )
  const element = make('section', { class: 'panel' }, make('h2', {}, voice.t('stock.title')), line, form)

  return {
    element,
    draw({ sale, stock }) {
      form.hidden = sale.stock === -1 || !sale.warmed
      setText(line, words(sale, stock))
    },
  }

  function words(sale: Live['sale'], stock: Live['stock']): string {
    if (!sale.warmed) return voice.t('live.waiting')
    if (sale.stock === -1) return voice.t('stock.unlimited')
    if (stock === null) return voice.t('stock.unknown', { total: count(sale.stock) })
    return voice.t('stock.now', { total: count(stock.total), booked: count(stock.booked) })
  }
}
