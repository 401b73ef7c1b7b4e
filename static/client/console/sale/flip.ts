/** The flips: asks first, says what will happen to whom, then does it. */

import type { Live } from '../../../../core/api/control-answers.ts'
import type { SaleId } from '../../../../core/ids.ts'
import type { Choice } from '../../lib/confirm.ts'
import { act, deleteSale, startSale } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { sayFor } from '../lib/kind-words.ts'
import { type ConsoleVoice, reasonText, type ViewContext } from '../view.ts'
import { type Action, repeatOf } from './actions.ts'
import { leftEffects } from './effects.ts'
import { moneyText, stockText } from './facts.ts'
import { startQuestion } from './start-question.ts'

/**
 * Asks for confirmation and acts; true when the sale was changed. `onBusy` is called when the
 * action begins and ends.
 */
export async function flip(
  context: ViewContext,
  live: Live,
  action: Action,
  onBusy: (busy: boolean) => void,
): Promise<boolean> {
  const { voice } = context
  const { sale } = live
  const { title, effects, choice } = question(voice, live, action)
  if (!(await askBefore(voice, { title, effects, choice }))) return false
  context.announce(voice.t('do.working'))
  onBusy(true)
  const answer = await done(sale.saleId, choice.value)
  onBusy(false)
  if (answer.ok && choice.value === 'delete') context.go('#/', voice.t('do.done'))
  else context.announce(answer.ok ? voice.t('do.done') : reasonText(voice, answer.reply))
  return answer.ok
}

function done(saleId: SaleId, action: Action) {
  if (action === 'delete') return deleteSale(saleId)
  if (action === 'start' || action === 'open-now') return startSale(saleId, action)
  return act(saleId, action)
}

type Question = { title: string; effects: string[]; choice: Choice<Action> }

function question(voice: ConsoleVoice, live: Live, action: Action): Question {
  const { sale, phase, inStep, now } = live
  const say = sayFor(voice, sale.kind)
  if (action === 'warm' || repeatOf({ ...sale, phase, inStep }) === action) {
    return {
      title: voice.t('ask.repeat'),
      effects: [voice.t('ask.repeatText')],
      choice: { value: action, label: voice.t('do.repeat'), kind: 'main' },
    }
  }
  if (action === 'start' || action === 'open-now') {
    const asked = startQuestion(voice, action, sale, now)
    const label = voice.t(`do.${asked.action}`)
    return { ...asked, choice: { value: asked.action, label, kind: 'main' } }
  }
  const isDanger = action === 'close' || action === 'delete'
  return {
    title: say(`ask.${action}`),
    effects: [
      say(`ask.${action}Text`, { stock: stockText(voice, sale), money: moneyText(voice, sale) }),
      ...(action === 'pause' || action === 'close' ? leftEffects(voice, live) : []),
    ],
    choice: { value: action, label: say(`do.${action}`), kind: isDanger ? 'danger' : 'main' },
  }
}
