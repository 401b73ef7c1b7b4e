/**
 * Early access on the page of a sale (core/sale/windows.ts): below the clock, how long only members may
 * buy. A page cannot know whether its shopper is one, so the button is for all who are signed in, and
 * the shop asks the others to wait.
 */
import type { Phase } from '../../core/sale/phase.ts'
import type { Countdown } from '../../core/sale/pointer.ts'
import { earlyAccessMs } from '../../core/sale/windows.ts'
import { clockText } from '../../templates/messages/time-text.ts'
import { setText } from '../../web/dom.ts'
import { whoIsHere } from '../../web/signed-in.ts'
import type { Voice } from '../../web/voice.ts'
import type { ButtonState } from '../buy/button.ts'

/** A wait that is longer than those of a crowd, s, is shown as on a clock. */
const longWait = 100

/** The button of a shopper who was asked to wait for minutes, as for the end of early access. */
export function withLongWait(voice: Voice<'button.later' | 'time.days'>, state: ButtonState): ButtonState {
  if (state.secondsLeft < longWait) return state
  const time = clockText(state.secondsLeft * 1000, voice.t('time.days'))
  return { ...state, label: voice.t('button.later', { time }) }
}

type Drawn = Seen & { phase: Phase | undefined }

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

/** Times are epoch ms on the shop's clock. */
type Seen = { countdown: Countdown | undefined; startsAt: number; now: number }

/** How long only members may still buy, ms; 0 or less once all others may. */
function earlyLeftMs({ countdown, startsAt, now }: Seen): number {
  return startsAt + earlyAccessMs({ minutes: countdown?.earlyMinutes ?? 0 }) - now
}

/**
 * Shortens the `rest` that the shop asked for because of early access when that ends earlier: when it has fewer minutes.
 * While they stay, the wait that the shop named counts, which no clock of a device can make shorter.
 */
export function earlyRest(rest: { leftMs(): number; take(milliseconds: number): void }) {
  let minutes = 0
  let awaited = 0
  return {
    /** A click was sent, or refused by `code`. */
    clicked(code?: string): void {
      awaited = code === 'not-your-turn' ? minutes : 0
    },
    /** The shopper's own turn comes `turnMs` after the end of early access, where the page knows it. */
    look(seen: Seen & { turnMs: number | undefined }): void {
      const { countdown, turnMs = 0 } = seen
      if (countdown) minutes = countdown.earlyMinutes ?? 0
      if (minutes >= awaited) return
      awaited = minutes
      rest.take(Math.min(rest.leftMs(), earlyLeftMs(seen) + turnMs))
    },
  }
}
