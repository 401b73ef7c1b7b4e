/** A sale at this moment: when it opens, how fast it sells, or how it ended. */
import type { Live } from '../../../../core/api/control.ts'
import { type Pace, sellOut, waitingShoppers } from '../../../../core/sale/live-pace.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { make, setText } from '../../lib/dom.ts'
import { sayFor } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'
import { moneyText, stockText } from './facts.ts'
import { endText, openingOf, sellOutText, waitingText } from './present-text.ts'

export function presentPanel(voice: ConsoleVoice, kind: SaleKind) {
  const say = sayFor(voice, kind)
  const opensLabel = make('dt')
  const opens = make('dd', { id: 'overview-opens' })
  const offer = make('dd', { id: 'overview-offer' })
  const before = make(
    'dl',
    { class: 'tiles overview__present' },
    make('div', {}, opensLabel, opens),
    make('div', {}, make('dt', {}, voice.t('overview.offer')), offer),
  )
  const waiting = make('dd', { id: 'live-waiting' }, '–')
  const over = make('dd', { id: 'live-sellOut' }, '–')
  const during = make(
    'dl',
    { class: 'tiles overview__present' },
    make(
      'div',
      {},
      make('dt', {}, voice.t('pace.waiting')),
      waiting,
      make('dd', { class: 'tiles__hint' }, voice.t('pace.waitingHint')),
    ),
    make('div', {}, make('dt', {}, say('pace.sellOut')), over),
  )
  const after = make('p', { class: 'overview__end', id: 'overview-end' })

  return {
    element: make('div', {}, before, during, after),
    draw(live: Live, pace: Pace): void {
      const { phase, sale } = live
      before.hidden = phase !== 'draft' && phase !== 'scheduled'
      after.hidden = phase !== 'ended'
      during.hidden = !before.hidden || !after.hidden
      const { key, clock } = openingOf(voice, live)
      setText(opensLabel, voice.t(key))
      setText(opens, clock)
      setText(offer, `${stockText(voice, sale)} · ${moneyText(voice, sale)}`)
      setText(waiting, waitingText(voice, waitingShoppers(pace, live)))
      setText(over, sellOutText(voice, sellOut(pace, live)))
      setText(after, endText(voice, live))
    },
  }
}
