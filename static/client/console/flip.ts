/** The flips: asks first, says what will happen to whom, then does it. */

import type { Live } from '../../../core/api/control.ts'
import { wavesOf } from '../../../core/packets.ts'
import type { Sale } from '../../../core/sale.ts'
import { askFirst, type Choice } from '../confirm.ts'
import { clockText } from '../time-text.ts'
import { type Action, opensByItself, repeatOf } from './actions.ts'
import { act, deleteSale } from './api.ts'
import { leftEffects } from './effects.ts'
import { moneyText, stockText } from './facts.ts'
import { sayFor } from './kind-words.ts'
import { type ConsoleVoice, reasonText, type ViewContext } from './view.ts'

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
  const { title, paragraphs, choices } = question(voice, live, action)
  const choice = await askFirst(title, paragraphs, choices, voice.t('ask.back'))
  if (choice === undefined) return false
  context.announce(voice.t('do.working'))
  onBusy(true)
  const answer =
    choice === 'delete'
      ? await deleteSale(sale.saleId)
      : choice === 'open-now'
        ? await act(sale.saleId, 'start', { now: true })
        : await act(sale.saleId, choice)
  onBusy(false)
  if (answer.ok && choice === 'delete') context.go('#/')
  context.announce(answer.ok ? voice.t('do.done') : reasonText(voice, answer.reply))
  return answer.ok
}

type FlipChoice = Choice<Action | 'open-now'>

type Question = { title: string; paragraphs: string[]; choices: FlipChoice[] }

function question(voice: ConsoleVoice, live: Live, action: Action): Question {
  const { sale, phase, inStep } = live
  const say = sayFor(voice, sale.kind)
  const title = say(`ask.${action}`)
  const choice = (kind: Choice['kind']): FlipChoice => ({ value: action, label: say(`do.${action}`), kind })
  if (repeatOf({ ...sale, phase, inStep }) === action) {
    return {
      title: voice.t('ask.repeat'),
      paragraphs: [voice.t('ask.repeatText')],
      choices: [choice('main')],
    }
  }
  if (action === 'start') return { title, ...startQuestion(voice, live) }
  const danger = action === 'close' || action === 'delete'
  return {
    title,
    paragraphs: [
      say(`ask.${action}Text`, { stock: stockText(voice, sale), money: moneyText(voice, sale) }),
      ...(action === 'pause' || action === 'close' ? leftEffects(voice, live) : []),
    ],
    choices: [choice(danger ? 'danger' : 'main')],
  }
}

/** Before its time a sale is armed, or opened now; after it, there is one way to start. */
function startQuestion(voice: ConsoleVoice, { sale, phase, now }: Live): Omit<Question, 'title'> {
  const opens = inItsWindow(sale)
  const stock = stockText(voice, opens)
  const openText = sayFor(voice, sale.kind)('ask.openText', { stock, money: moneyText(voice, opens) })
  if (now >= sale.startsAt) {
    return { paragraphs: [openText], choices: [{ value: 'start', label: voice.t('do.start'), kind: 'main' }] }
  }
  const openNow: FlipChoice = { value: 'open-now', label: voice.t('do.openNow'), kind: 'plain' }
  if (opensByItself({ ...sale, phase }))
    return { paragraphs: [openText], choices: [{ ...openNow, kind: 'main' }] }
  const time = voice.moment(sale.startsAt)
  const wait = clockText(sale.startsAt - now, voice.t('time.d'))
  return {
    paragraphs: [voice.t('ask.armText', { time, wait }), voice.t('ask.openNowText')],
    choices: [openNow, { value: 'start', label: voice.t('do.arm'), kind: 'main' }],
  }
}

/** Of several waves the present one is what opens. */
function inItsWindow(sale: Sale): Sale {
  const wave = wavesOf(sale)[sale.windowIndex]
  return wave === undefined ? sale : { ...sale, packets: wave, windows: [] }
}
