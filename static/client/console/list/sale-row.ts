/** One sale in the list of sales. */
import { phaseAt } from '../../../../core/sale/phase.ts'
import { pictureOf, type Sale, textIn } from '../../../../core/sale/sale.ts'
import { nextWindow } from '../../../../core/sale/windows.ts'
import { make } from '../../lib/dom.ts'
import { moneyText, stockText } from '../sale/facts.ts'
import { kindTag } from '../sale/kind-tag.ts'
import { startBadge } from '../sale/start-state.ts'
import type { ConsoleVoice } from '../view.ts'

export function saleRow(voice: ConsoleVoice, sale: Sale, now: number): HTMLElement {
  // The list carries no stock, so a sale without units still shows as open here, not on its page.
  const phase = phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, -1)
  const badge = startBadge(voice, { sale, phase, now })
  const facts = [moneyText(voice, sale), stockText(voice, sale), voice.shortMoment(sale.startsAt)]
  return make(
    'li',
    { 'data-sale-id': sale.saleId },
    make(
      'a',
      { href: `#/sale/${sale.saleId}` },
      make('img', { src: pictureOf(sale, 72), alt: '', width: 72, height: 72 }),
      make(
        'span',
        { class: 'rows__words' },
        make('strong', {}, textIn(sale, voice.language()).title),
        make(
          'small',
          {},
          ...facts.flatMap((fact, i) => [i === 0 ? '' : ' · ', make('span', { class: 'fact' }, fact)]),
        ),
      ),
      make(
        'span',
        { class: 'console__badges' },
        kindTag(voice, sale.kind),
        make('span', { class: 'badge', 'data-phase': phase, 'data-start': badge.state }, badge.text),
      ),
    ),
  )
}
