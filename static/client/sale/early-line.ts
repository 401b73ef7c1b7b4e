/**
 * Early access on the page of a sale (core/sale/early-access.ts): below the clock, how long only members may
 * buy. A page cannot know whether its shopper is one, so the button is for all who are signed in, and
 * the shop asks the others to wait.
 */
import type { Phase } from '../../../core/sale/phase.ts'
import type { Countdown } from '../../../core/sale/pointer.ts'
import type { ButtonState } from '../buy/button.ts'
import { setText } from '../lib/dom.ts'
import { clockText } from '../lib/time-text.ts'
import type { Voice } from '../lib/voice.ts'
import { whoIsHere } from '../people/signed-in.ts'
import { earlyLeftMs } from './early-rest.ts'

/** A wait that is longer than those of a crowd, s, is shown as on a clock. */
const longWait = 100

/** The button of a shopper who was asked to wait for minutes, as for the end of early access. */
export function withLongWait(voice: Voice<'button.later' | 'time.days'>, state: ButtonState): ButtonState {
  if (state.secondsLeft < longWait) return state
  const time = clockText(state.secondsLeft * 1000, voice.t('time.days'))
  return { ...state, label: voice.t('button.later', { time }) }
}

/** Times are epoch ms on the shop's clock. */
type Drawn = { phase: Phase | undefined; countdown: Countdown | undefined; startsAt: number; now: number }

/** Only the page of a sale that has early access when it is printed has the line. */
export function earlyLine(voice: Voice<'time.days'>): (drawn: Drawn) => void {
  const [line, left, signIn] = ['early', 'early-left', 'early-sign-in'].map((id) => document.getElementById(id))
  return (drawn) => {
    if (!line || !left || !signIn) return
    const leftMs = earlyLeftMs(drawn)
    line.hidden = drawn.phase !== 'open' || leftMs <= 0
    signIn.hidden = whoIsHere() !== null
    setText(left, clockText(leftMs, voice.t('time.days')))
  }
}
