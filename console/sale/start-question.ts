/** Asks for confirmation before a sale is scheduled or opened, with its time and offer. */
import { packetBatches } from '../../core/packets/packets.ts'
import { earliestStart, type Sale } from '../../core/sale/sale.ts'
import { clockText } from '../../templates/messages/time-text.ts'
import { sayFor, type Translator } from '../parts/kind-words.ts'
import { saleMoment } from '../parts/sale-moment.ts'
import type { StartAction } from './actions.ts'
import { moneyText, stockText } from './facts.tsx'

/** The fields of a sale, saved or not, that describe its start. */
export type Startable = Pick<
  Sale,
  | ('kind' | 'stock' | 'currency' | 'price' | 'packets' | 'warmed')
  | ('windows' | 'windowIndex' | 'startsAt' | 'timeZone')
>

type Question = { title: string; effects: string[]; action: StartAction }

/** `now` is epoch ms. A sale whose time has come can only be opened. */
export function startQuestion(voice: Translator, wanted: StartAction, sale: Startable, now: number): Question {
  const say = sayFor(voice, sale.kind)
  const action = now >= sale.startsAt ? 'open-now' : wanted
  const opens = inItsWindow(sale)
  const whole = { stock: stockText(voice, sale), money: moneyText(voice, sale) }
  return {
    title: voice.t(`ask.${action}`),
    effects: [
      action === 'start'
        ? startText(voice, sale, now)
        : (laterText(voice, sale, now) ?? voice.t(now < sale.startsAt ? 'ask.open-earlyText' : 'ask.open-nowText')),
      say('ask.offer', { stock: stockText(voice, opens), money: moneyText(voice, opens) }),
      ...(sale.warmed ? [] : [say('ask.publishText', whole)]),
    ],
    action,
  }
}

/** That the clock opens the sale, and when. */
export const startText = (voice: Translator, sale: Pick<Sale, 'startsAt' | 'timeZone'>, now: number): string =>
  voice.t('ask.startText', {
    time: saleMoment(voice, sale, sale.startsAt),
    wait: clockText(sale.startsAt - now, voice.t('time.d')),
  })

/** When a sale opens that an option does not let open yet; undefined for any other. */
export function laterText(voice: Translator, sale: Pick<Sale, 'timeZone'>, now: number): string | undefined {
  const at = earliestStart(sale, now)
  return at > now ? voice.t('ask.open-laterText', { time: saleMoment(voice, sale, at) }) : undefined
}

/** The sale with the present one of its waves, which is the one that opens. */
function inItsWindow<Offer extends Startable>(sale: Offer): Offer {
  const wave = packetBatches(sale)[sale.windowIndex]
  return wave === undefined ? sale : { ...sale, packets: wave, windows: [] }
}
