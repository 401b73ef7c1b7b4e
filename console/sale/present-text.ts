/** A sale at this moment in words: its opening, the estimates of its course, and its end. */
import type { Live } from '../../core/api/control-answers.ts'
import { roughTime, roundEstimate, type SellOut, type WaitingEstimate } from '../../core/sale/live-pace.ts'
import { readiness } from '../../core/sale/readiness.ts'
import { durationText } from '../../templates/messages/duration-text.ts'
import { clockText } from '../../templates/messages/time-text.ts'
import { joinSentences, type Key, sayFor, type Translator } from '../parts/kind-words.ts'
import { saleMoment } from '../parts/sale-moment.ts'
import { tilesOf } from './numbers.ts'

export function waitingText(voice: Pick<Translator, 't' | 'locale'>, waiting: WaitingEstimate | null): string {
  if (waiting === null) return '–'
  const n = roundEstimate(waiting.count).toLocaleString(voice.locale())
  if (waiting.atLeast) return voice.t('pace.atLeast', { n })
  return waiting.count === 0 ? n : voice.t('pace.about', { n })
}

export function sellOutText(voice: Pick<Translator, 't'>, sellOut: SellOut | null): string {
  if (sellOut === null) return '–'
  if (sellOut.kind === 'not-before-end') return voice.t('pace.notBeforeEnd')
  if (sellOut.kind === 'expected') return aboutText(voice, sellOut.inMs)
  if (sellOut.afterMs === null) return voice.t('pace.soldOut')
  return voice.t('pace.after', { n: durationText(voice.t, sellOut.afterMs) })
}

function aboutText(voice: Pick<Translator, 't'>, ms: number): string {
  const { n, unit } = roughTime(ms)
  return voice.t('pace.about', { n: voice.t(`pace.${unit}`, { n }) })
}

/** The time to the next opening, or since the start that was missed. */
export function openingOf(voice: Pick<Translator, 't'>, { sale, now }: Live): { key: Key; clock: string } {
  const { state, startsAt } = readiness(sale, now)
  const clock = clockText(Math.abs(startsAt - now), voice.t('time.d'))
  if (state === 'overdue') return { key: 'overview.lateBy', clock }
  return { key: state === 'scheduled' ? 'overview.opensIn' : 'overview.plannedIn', clock }
}

/** How the sale ended: without a start, by the clock or by a person, and with how much left. */
export function endText(voice: Translator, live: Live): string {
  const say = sayFor(voice, live.sale.kind)
  const how = endedBy(voice, live)
  const { remaining } = tilesOf(live)
  if (remaining === null || remaining < 0) return how
  const rest = remaining === 0 ? say('overview.allSold') : say('overview.unsold', { n: remaining })
  return joinSentences(voice, [how, rest])
}

function endedBy(voice: Translator, { sale }: Live): string {
  if (sale.epoch === 0) return voice.t('overview.neverStarted')
  return sale.flag === 'closed'
    ? voice.t('overview.endedByHand')
    : voice.t('overview.endedByClock', { time: saleMoment(voice, sale, sale.endsAt) })
}
