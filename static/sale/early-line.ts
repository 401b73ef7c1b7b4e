/**
 * Shows early access on a sale page (core/sale/windows.ts). The page cannot know whether its shopper is a member, so all
 * signed-in shoppers may click, and the shop asks the others to wait.
 */
import type { Phase } from '../../core/sale/phase.ts'
import type { Countdown } from '../../core/sale/pointer.ts'
import { earlyAccessMs } from '../../core/sale/windows.ts'
import { clockText } from '../../templates/messages/time-text.ts'
import { setText } from '../../web/dom.ts'
import { whoIsHere } from '../../web/signed-in.ts'
import type { Voice } from '../../web/voice.ts'
import type { ButtonState } from '../buy/button.ts'

/** From this wait on, s, the button shows a clock. */
const longWaitSeconds = 100

/** Shows a long wait on the button as a clock, such as the wait for the end of early access. */
export function withLongWait(voice: Voice<'button.later' | 'time.days'>, state: ButtonState): ButtonState {
  if (state.secondsLeft < longWaitSeconds) return state
  const time = clockText(state.secondsLeft * 1000, voice.t('time.days'))
  return { ...state, label: voice.t('button.later', { time }) }
}

type Drawn = Seen & { phase: Phase | undefined }

/** Returns the function that draws the line. Only pages of sales with early access have it. */
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

/** Returns how long only members may still buy, ms; 0 or less after that. */
function earlyLeftMs({ countdown, startsAt, now }: Seen): number {
  return startsAt + earlyAccessMs({ minutes: countdown?.earlyMinutes ?? 0 }) - now
}

/**
 * Shortens the `cooldown` that the shop asked for when a marketer shortens early access. Otherwise the wait that the shop named
 * counts, which no clock of a device can shorten.
 */
export function earlyCooldown(cooldown: { leftMs(): number; take(milliseconds: number): void }) {
  let minutes = 0
  let awaited = 0
  return {
    /** Call it when a click was sent, or refused with `code`. */
    clicked(code?: string): void {
      awaited = code === 'not-your-turn' ? minutes : 0
    },
    /** Call it on each draw. The shopper's turn is `turnMs` after early access, if the page knows it. */
    update(seen: Seen & { turnMs: number | undefined }): void {
      const { countdown, turnMs = 0 } = seen
      if (countdown) minutes = countdown.earlyMinutes ?? 0
      if (minutes >= awaited) return
      awaited = minutes
      cooldown.take(Math.min(cooldown.leftMs(), earlyLeftMs(seen) + turnMs))
    },
  }
}
