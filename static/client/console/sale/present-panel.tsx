/** A sale at this moment: when it opens, how fast it sells, or how it ended. */
import type { Live } from '../../../../core/api/control-answers.ts'
import { type Pace, sellOut, waitingShoppers } from '../../../../core/sale/live-pace.ts'
import { reachMessages } from '../../../messages/catalogues.ts'
import { sayFor } from '../lib/kind-words.ts'
import { useViewWith } from '../view-place.ts'
import { moneyText, stockText } from './facts.ts'
import { endText, openingOf, sellOutText, waitingText } from './present-text.ts'

export function PresentPanel({ live, pace }: { live: Live; pace: Pace }) {
  const { voice } = useViewWith(reachMessages)
  const { phase, sale } = live
  const isBefore = phase === 'draft' || phase === 'scheduled'
  const isOver = phase === 'ended'
  const { key, clock } = openingOf(voice, live)
  return (
    <div>
      <dl class="tiles overview__present" hidden={!isBefore}>
        <div>
          <dt>{voice.t(key)}</dt>
          <dd id="overview-opens">{clock}</dd>
        </div>
        <div>
          <dt>{voice.t('overview.offer')}</dt>
          <dd id="overview-offer">{`${stockText(voice, sale)} · ${moneyText(voice, sale)}`}</dd>
        </div>
      </dl>
      <dl class="tiles overview__present" hidden={isBefore || isOver}>
        <div>
          <dt>{voice.t('pace.waiting')}</dt>
          <dd id="live-waiting">{waitingText(voice, waitingShoppers(pace, live))}</dd>
          <dd class="tiles__hint">{voice.t('pace.waitingHint')}</dd>
        </div>
        <div>
          <dt>{sayFor(voice, sale.kind)('pace.sellOut')}</dt>
          <dd id="live-sellOut">{sellOutText(voice, sellOut(pace, live))}</dd>
        </div>
      </dl>
      {live.reminders && (
        <p class="tiles__hint" id="live-reminders">
          {voice.t(remindersKey(live.reminders), live.reminders)}
        </p>
      )}
      {live.returns && (
        <p class="tiles__hint" id="live-returns">
          {voice.t('reach.returns', live.returns)}
        </p>
      )}
      <p class="overview__end" id="overview-end" hidden={!isOver}>
        {endText(voice, live)}
      </p>
    </div>
  )
}

const remindersKey = ({ sent }: { sent: number }) => (sent === 0 ? 'reach.remindersAsked' : 'reach.remindersSent')
