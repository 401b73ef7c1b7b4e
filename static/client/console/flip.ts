/** The flips: asks first, says what will happen to whom, then does it. */
import { askFirst, type Choice } from '../confirm.ts'
import { type Action, opensByItself, repeatOf } from './actions.ts'
import { act, deleteSale } from './api.ts'
import type { ConsoleSale, Live } from './read.ts'
import { type ConsoleVoice, type Desk, reasonText } from './view.ts'

/** Asks and acts; true when the sale was changed. `onBusy` hears when the acting begins and ends. */
export async function flip(
  desk: Desk,
  live: Live,
  action: Action,
  onBusy: (busy: boolean) => void,
): Promise<boolean> {
  const { voice } = desk
  const { sale } = live
  const { title, paragraphs, choices } = question(voice, live, action)
  const choice = await askFirst(title, paragraphs, choices, voice.t('ask.back'))
  if (choice === undefined) return false
  desk.tell(voice.t('do.working'))
  onBusy(true)
  const answer =
    choice === 'delete'
      ? await deleteSale(sale.saleId)
      : choice === 'open-now'
        ? await act(sale.saleId, 'start', { now: true })
        : await act(sale.saleId, choice)
  onBusy(false)
  if (answer.ok && choice === 'delete') desk.go('#/')
  desk.tell(answer.ok ? voice.t('do.done') : reasonText(voice, answer.reply))
  return answer.ok
}

type Question = { title: string; paragraphs: string[]; choices: Choice[] }

function question(voice: ConsoleVoice, live: Live, action: Action): Question {
  const { sale, phase, inStep } = live
  const title = voice.t(`ask.${action}`)
  const choice = (kind: Choice['kind']): Choice => ({ value: action, label: voice.t(`do.${action}`), kind })
  if (repeatOf({ ...sale, phase, inStep }) === action) {
    return {
      title: voice.t('ask.repeat'),
      paragraphs: [voice.t('ask.repeatText')],
      choices: [choice('main')],
    }
  }
  if (action === 'start') return { title, ...startQuestion(voice, live) }
  const stock = stockText(voice, sale)
  const danger = action === 'close' || action === 'delete'
  return {
    title,
    paragraphs: [voice.t(`ask.${action}Text`, { stock })],
    choices: [choice(danger ? 'danger' : 'main')],
  }
}

/** Before its time a sale is armed, or opened now; after it, there is one way to start. */
function startQuestion(voice: ConsoleVoice, { sale, phase, now }: Live): Omit<Question, 'title'> {
  const price = voice.money(sale.price, sale.currency)
  const openText = voice.t('ask.openText', { stock: stockText(voice, sale), price })
  if (now >= sale.startsAt) {
    return { paragraphs: [openText], choices: [{ value: 'start', label: voice.t('do.start'), kind: 'main' }] }
  }
  const openNow: Choice = { value: 'open-now', label: voice.t('do.openNow'), kind: 'plain' }
  if (opensByItself({ ...sale, phase }))
    return { paragraphs: [openText], choices: [{ ...openNow, kind: 'main' }] }
  const time = voice.moment(sale.startsAt)
  const wait = voice.clock(sale.startsAt - now)
  return {
    paragraphs: [voice.t('ask.armText', { time, wait }), voice.t('ask.openNowText')],
    choices: [openNow, { value: 'start', label: voice.t('do.arm'), kind: 'main' }],
  }
}

function stockText(voice: ConsoleVoice, { stock }: ConsoleSale): string {
  return stock === -1
    ? voice.t('live.unlimited')
    : voice.t('console.stockOf', { n: stock.toLocaleString(voice.locale()) })
}
