/** Draws the changing parts of a sale page: badge, clock, button and remaining count. */
import type { Phase } from '../../core/sale/phase.ts'
import { durationParts, twoDigits } from '../../templates/messages/time-text.ts'
import { byId, setText } from '../../web/dom.ts'
import type { Voice } from '../../web/voice.ts'
import type { ButtonState } from '../buy/button.ts'
import type { OpeningKey } from './news.ts'
import { isDelayed } from './phase-seen.ts'

/** `hasTime`: `now` is the shop's time; before that there is no countdown. Times are epoch ms. */
type Drawn = {
  phase: Phase | undefined
  button: ButtonState
  now: number
  hasTime: boolean
  startsAt: number
  endsAt: number
  remaining: number
  total: number
}

/** Creates the view. `draw` touches only elements that changed. `part` finds an element by id; in this page by default. */
export function saleView(
  voice: Pick<Voice<OpeningKey>, 't' | 'locale' | 'moment'>,
  part: (id: string) => HTMLElement = byId,
) {
  const main = part('main')
  const badge = part('phase')
  const clockLabel = part('clock-label')
  const countdown = part('countdown')
  const clockAt = part('clock-at').querySelector('time')
  const digits = ['days', 'hours', 'minutes', 'seconds'].map((id) => part(id))
  const button = part('buy')
  const buttonLabel = part('buy-label')
  const remainingLine = part('remaining')
  const bar = part('remaining-bar')

  return {
    draw({ phase, button: state, now, hasTime, startsAt, endsAt, remaining, total }: Drawn): void {
      if (phase !== undefined) {
        main.dataset.phase = phase
        const isLate = phase === 'scheduled' && hasTime && isDelayed(startsAt, now)
        setText(badge, voice.t(isLate ? 'phase.delayed' : `phase.${phase}`))
        drawClock(phase, startsAt, endsAt, hasTime ? now : undefined)
      }
      drawStart(startsAt)
      button.dataset.state = state.kind
      button.setAttribute('aria-disabled', String(!state.isEnabled))
      setText(buttonLabel, state.label ?? voice.t(`button.${state.kind}`, { seconds: state.secondsLeft }))
      // The count would urge shoppers who can no longer buy.
      remainingLine.hidden = bar.hidden = state.kind === 'owned' || phase === 'ended'
      drawRemaining(phase, remaining, total)
    },
  }

  /** Shows the start of the current window, which may differ from the page's markup (R7). */
  function drawStart(startsAt: number): void {
    if (clockAt === null || clockAt.dataset.ms === String(startsAt)) return
    clockAt.dataset.ms = String(startsAt)
    clockAt.dateTime = new Date(startsAt).toISOString()
    setText(clockAt, voice.moment(startsAt))
  }

  function drawClock(phase: Phase, startsAt: number, endsAt: number, now: number | undefined): void {
    const counts = phase === 'scheduled' || phase === 'open' || phase === 'draft'
    const left = now === undefined ? 1 : (phase === 'open' ? endsAt : startsAt) - now
    setText(clockLabel, voice.t(clockKey(phase, left)))
    countdown.hidden = !counts || left <= 0
    if (now === undefined) return
    const { days, hours, minutes, seconds } = durationParts(left)
    const values = [String(days), twoDigits(hours), twoDigits(minutes), twoDigits(seconds)]
    digits.forEach((digit, i) => {
      const number = digit.querySelector('b')
      if (number !== null) setText(number, values[i] ?? '')
    })
    const daysDigit = digits[0]
    if (daysDigit !== undefined) daysDigit.hidden = days === 0
  }

  function drawRemaining(phase: Phase | undefined, remaining: number, total: number): void {
    const waits = phase === 'scheduled' || phase === 'draft' || phase === undefined
    const key = remaining === -1 ? 'stock.unlimited' : waits ? 'stock.ready' : 'stock.left'
    setText(remainingLine, voice.t(key, { remaining: remaining.toLocaleString(voice.locale()) }))
    const share = remaining === -1 ? 1 : Math.min(1, Math.max(0, remaining / Math.max(total, remaining, 1)))
    bar.style.setProperty('--share', String(share))
  }
}

function clockKey(phase: Phase, leftMs: number): OpeningKey {
  if (phase === 'scheduled' && leftMs > 0) return 'clock.startsIn'
  if (phase === 'scheduled') return isDelayed(0, -leftMs) ? 'clock.delayed' : 'clock.anyMoment'
  if (phase === 'open') return 'clock.endsIn'
  return phase === 'ended' ? 'clock.ended' : `phase.${phase}`
}
