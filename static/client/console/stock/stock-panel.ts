/**
 * The stock of a sale, with a form to add or remove units. Red packets are split in advance and do
 * not change.
 */

import type { Live } from '../../../../core/api/control.ts'
import { wholeOf } from '../../../../core/packets/packets.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { make, setText } from '../../lib/dom.ts'
import { sayFor } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'
import { stockForm } from './stock-form.ts'
import type { UnitsChange } from './stock-keys.ts'

type StockPanel = { element: HTMLElement; draw(live: Live): void }

/** Without `change`, which adds units or removes some, there is no form. */
export function stockPanel(
  voice: ConsoleVoice,
  kind: SaleKind,
  change: ((change: UnitsChange) => Promise<void>) | undefined,
): StockPanel {
  const say = sayFor(voice, kind)
  const line = make('p', { id: 'stock-line' })
  const count = (n: number) => n.toLocaleString(voice.locale())
  const form = change && stockForm(voice, say('stock.delta'), change)
  const title = make('h2', {}, say('stock.title'))
  const element = make('section', { class: 'panel' }, title, line, form?.element)

  return {
    element,
    draw(live) {
      const { sale, stock } = live
      setText(line, words(sale, stock))
      if (form === undefined) return
      form.element.hidden = sale.stock === -1 || !sale.warmed || kind === 'red-packet'
      form.draw(live)
    },
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
