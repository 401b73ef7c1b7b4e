/** The estimates of a running sale in words. */
import { roughly, roughTime, type SellOut, type Waiting } from '../../../core/pace.ts'
import type { Speaker } from './kind-words.ts'

export function waitingText(voice: Pick<Speaker, 't' | 'locale'>, waiting: Waiting | null): string {
  if (waiting === null) return '–'
  const n = roughly(waiting.count).toLocaleString(voice.locale())
  if (waiting.atLeast) return voice.t('pace.atLeast', { n })
  return waiting.count === 0 ? n : voice.t('pace.about', { n })
}

export function sellOutText(voice: Pick<Speaker, 't'>, sellOut: SellOut | null): string {
  if (sellOut === null) return '–'
  if (sellOut.kind === 'not-before-end') return voice.t('pace.notBeforeEnd')
  if (sellOut.kind === 'expected') return timeText(voice, 'pace.about', sellOut.inMs)
  return sellOut.afterMs === null ? voice.t('pace.soldOut') : timeText(voice, 'pace.after', sellOut.afterMs)
}

function timeText(voice: Pick<Speaker, 't'>, key: 'pace.about' | 'pace.after', ms: number): string {
  const { n, unit } = roughTime(ms)
  return voice.t(key, { n: voice.t(`pace.${unit}`, { n }) })
}
