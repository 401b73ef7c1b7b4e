/** Proposes random turns (`spreadSeconds`) for the crowd that the reminders of a sale promise. */
import { spreadFor } from '../../../../core/gate/spread.ts'
import type { ExpectedCrowd } from '../../../../core/people/crowd.ts'
import { longestSpread } from '../../../../core/sale/sale.ts'
import { maxSpreadSeconds } from '../../../../core/sale/settings.ts'
import { aidMessages } from '../../../messages/catalogues.ts'
import { wholeNumber } from '../lib/typed.ts'
import { useViewWith } from '../view-place.ts'
import type { FormState } from './form-fields.tsx'

/** The line stays when the proposal is taken, or the focus would be lost with its button. */
export function TurnsAdvice({ form, crowd }: { form: FormState; crowd: ExpectedCrowd }) {
  const { voice } = useViewWith(aidMessages)
  const { text, sale, enter } = form
  const longest = Math.min(maxSpreadSeconds, sale === undefined ? maxSpreadSeconds : longestSpread(sale))
  const seconds = spreadFor(crowd.to, longest)
  const isEnough = wholeNumber(text.spreadSeconds) >= seconds
  return (
    <p id="turns-advice">
      {voice.t(isEnough ? 'turns.enough' : 'turns.proposed', { ...crowd, seconds })}{' '}
      {seconds > 0 && (
        <button
          type="button"
          class="button button--plain"
          aria-disabled={isEnough}
          onClick={() => isEnough || enter('spreadSeconds', String(seconds))}
        >
          {voice.t('turns.use', { seconds })}
        </button>
      )}
    </p>
  )
}
