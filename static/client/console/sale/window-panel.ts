/** The windows of a sale, the present one marked (R7). */
import type { Sale } from '../../../../core/sale/sale.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { make } from '../../lib/dom.ts'
import { sayFor } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'

type WindowPanel = { element: HTMLElement; draw(sale: Sale): void }

export function windowPanel(voice: ConsoleVoice, kind: SaleKind): WindowPanel {
  const say = sayFor(voice, kind)
  const list = make('ol', { class: 'windows', id: 'windows' })
  const element = make('section', { class: 'panel' }, make('h2', {}, say('window.title')), list)

  return {
    element,
    draw({ currency, windows, windowIndex }) {
      element.hidden = windows.length === 0
      list.replaceChildren(
        ...windows.map(({ startsAt, endsAt, stock, totalAmount }, i) => {
          const times = `${voice.moment(startsAt)} – ${voice.moment(endsAt)}`
          const units = say('console.stockOf', { n: stock })
          const money = totalAmount === undefined ? '' : ` · ${voice.money(totalAmount, currency)}`
          const words = make('span', {}, times, make('small', {}, units + money))
          if (i !== windowIndex) return make('li', {}, words)
          const badge = make('span', { class: 'badge' }, say('window.present'))
          return make('li', { 'aria-current': 'true' }, words, badge)
        }),
      )
    },
  }
}
