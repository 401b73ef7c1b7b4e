/** What the crowd that a sale's reminders promise means for it, and a fair way to sell to it (L9). */
import type { ExpectedCrowd } from '../../../../core/people/crowd.ts'
import { aidMessages } from '../../../messages/catalogues.ts'
import { wholeNumber } from '../lib/typed.ts'
import { useViewWith } from '../view-place.ts'
import { fairChoice } from './fair-choice.ts'
import type { FormState } from './form-fields.tsx'

/** A line stays when its proposal is taken, or the focus would be lost with its button. */
export function CrowdAdvice({ form, crowd }: { form: FormState; crowd: ExpectedCrowd }) {
  const { voice } = useViewWith(aidMessages)
  const { text, sale, enter, change } = form
  const choice = fairChoice(text, sale, crowd, Date.now())
  if (choice === undefined) return <p id="crowd-advice">{voice.t('crowd.expected', crowd)}</p>
  const { seconds, isShort, odds, times, timesThen, draw } = choice
  const shown = (one: number) => Math.round(100 * one) / 100
  const isEnough = wholeNumber(text.spreadSeconds) >= seconds
  const use = (words: string, isDone: boolean, act: () => void) => (
    <button type="button" class="button button--plain" aria-disabled={isDone} onClick={() => isDone || act()}>
      {words}
    </button>
  )
  return (
    <div id="crowd-advice">
      <p>
        {voice.t('crowd.expected', crowd)} {odds > 1 && voice.t('crowd.odds', { odds: Math.round(odds) })}
      </p>
      {times > 1 && (
        <p>{Number.isFinite(times) ? voice.t('crowd.ahead', { times: shown(times) }) : voice.t('crowd.firstCome')}</p>
      )}
      {seconds > 0 && (
        <p>
          {isEnough
            ? voice.t(isShort ? 'turns.longest' : 'turns.enough')
            : voice.t('turns.proposed', { seconds, times: shown(timesThen) })}{' '}
          {use(voice.t('turns.use', { seconds }), isEnough, () => enter('spreadSeconds', String(seconds)))}
        </p>
      )}
      {draw && (
        <p>
          {voice.t('crowd.draw', { closes: voice.moment(draw.closesAt) })}{' '}
          {use(voice.t('crowd.useDraw'), draw.isChosen, () => change(draw.fields))}
        </p>
      )}
    </div>
  )
}
