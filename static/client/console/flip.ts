/** The flips: asks first, says what will happen to whom, then does it. */
import type { Action } from './actions.ts'
import { act, type ConsoleSale, deleteSale } from './api.ts'
import { type Choice, confirmFlip } from './confirm.ts'
import { type ConsoleVoice, type Desk, reasonText } from './view.ts'

/** Asks and acts; true when the sale was changed. `now` is epoch ms. */
export async function flip(desk: Desk, sale: ConsoleSale, action: Action, now: number): Promise<boolean> {
  const { voice } = desk
  const { paragraphs, choices } = question(voice, sale, action, now)
  const choice = await confirmFlip(voice.t(`ask.${action}`), paragraphs, choices, voice.t('ask.back'))
  if (choice === undefined) return false
  desk.tell(voice.t('do.working'))
  const answer =
    choice === 'delete'
      ? await deleteSale(sale.saleId)
      : choice === 'open-now'
        ? await act(sale.saleId, 'start', { now: true })
        : await act(sale.saleId, choice)
  if (answer.ok && choice === 'delete') desk.go('#/')
  desk.tell(answer.ok ? voice.t('do.done') : reasonText(voice, answer.reply))
  return answer.ok
}

type Question = { paragraphs: string[]; choices: Choice[] }

function question(voice: ConsoleVoice, sale: ConsoleSale, action: Action, now: number): Question {
  if (action === 'start') return startQuestion(voice, sale, now)
  const stock = stockText(voice, sale)
  const kind = action === 'close' || action === 'delete' ? 'danger' : 'main'
  return {
    paragraphs: [voice.t(`ask.${action}Text`, { stock })],
    choices: [{ value: action, label: voice.t(`do.${action}`), kind }],
  }
}

/** Before its time a sale is armed, or opened now; after it, there is one way to start. */
function startQuestion(voice: ConsoleVoice, sale: ConsoleSale, now: number): Question {
  const price = voice.money(sale.price, sale.currency)
  const openText = voice.t('ask.openText', { stock: stockText(voice, sale), price })
  if (now >= sale.startsAt) {
    return { paragraphs: [openText], choices: [{ value: 'start', label: voice.t('do.start'), kind: 'main' }] }
  }
  const openNow: Choice = { value: 'open-now', label: voice.t('do.openNow'), kind: 'plain' }
  if (sale.flag === 'on') return { paragraphs: [openText], choices: [{ ...openNow, kind: 'main' }] }
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
