/** The windows of a sale, the present one marked (R7). */
import { make } from '../dom.ts'
import type { ConsoleSale } from './read.ts'
import type { ConsoleVoice } from './view.ts'

type SlotPanel = { element: HTMLElement; draw(sale: ConsoleSale): void }

export function slotPanel(voice: ConsoleVoice): SlotPanel {
  const list = make('ol', { class: 'windows', id: 'windows' })
  const element = make('section', { class: 'panel' }, make('h2', {}, voice.t('slot.title')), list)

  return {
    element,
    draw({ slots, slot }) {
      element.hidden = slots.length === 0
      list.replaceChildren(
        ...slots.map(({ startsAt, endsAt, stock }, i) => {
          const times = `${voice.moment(startsAt)} – ${voice.moment(endsAt)}`
          const units = voice.t('console.stockOf', { n: stock })
          const words = make('span', {}, times, make('small', {}, units))
          if (i !== slot) return make('li', {}, words)
          const badge = make('span', { class: 'badge' }, voice.t('slot.present'))
          return make('li', { 'aria-current': 'true' }, words, badge)
        }),
      )
    },
  }
}
