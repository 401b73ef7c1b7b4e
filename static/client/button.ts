/**
 * The one button: grey until the shop's time says so (C5), one request per click, then a rest (C7):
 * ten seconds, or a second and a half when the click was only too early; rest.ts decides. Pure, so
 * that every state can be tested without a page.
 */
import type { Phase } from '../../core/phase.ts'
import type { Hold } from './check/person-check.ts'

/**
 * Pages light up spread over this long, so that the first clicks do not all arrive in one instant.
 */
export const lightJitterMs = 500

/**
 * `now`, `startsAt` and `returnedAt` are epoch ms on the shop's clock; the page lights its own
 * `jitterMs` after the start, and after it saw units return (undefined without any). `restLeftMs`
 * comes from the device's own clock, which a late clock sample cannot move. `unsure`: the answer of
 * the last click was lost, so the shopper may repeat it in any phase. `owns`: the shopper has as
 * many units as the limit allows, and the button leads to the order. `hold`: a check delays the
 * click (R5).
 */
export type ButtonFacts = {
  phase: Phase | undefined
  hasToken: boolean
  now: number
  startsAt: number
  returnedAt: number | undefined
  jitterMs: number
  restLeftMs: number
  sending: boolean
  won: boolean
  unsure: boolean
  owns: boolean
  hold: Hold | undefined
}

type ButtonKind =
  | Hold
  | 'loading'
  | 'draft'
  | 'early'
  | 'ready'
  | 'again'
  | 'sending'
  | 'resting'
  | 'paused'
  | 'sold-out'
  | 'ended'
  | 'won'
  | 'owned'

export type ButtonState = { kind: ButtonKind; lit: boolean; secondsLeft: number }

/**
 * What the button shows; only a `lit` one may send a request, or lead to the order. `secondsLeft`
 * counts while it rests.
 */
export function buttonState(facts: ButtonFacts): ButtonState {
  const kind = kindOf(facts)
  const lit = kind === 'ready' || kind === 'again' || kind === 'owned'
  return { kind, lit, secondsLeft: kind === 'resting' ? Math.ceil(facts.restLeftMs / 1000) : 0 }
}

function kindOf({
  phase,
  hasToken,
  now,
  startsAt,
  returnedAt,
  jitterMs,
  restLeftMs,
  sending,
  won,
  unsure,
  owns,
  hold,
}: ButtonFacts): ButtonKind {
  if (won) return 'won'
  if (sending) return 'sending'
  if (unsure) return restLeftMs > 0 ? 'resting' : 'again'
  if (owns) return 'owned'
  if (phase === undefined) return 'loading'
  if (phase === 'scheduled') return 'early'
  if (phase !== 'open') return phase
  // Open by the pointer and yet before the start: this clock is slow, and waiting for it could take
  // hours.
  if (now >= startsAt && now < startsAt + jitterMs) return 'early'
  if (returnedAt !== undefined && now >= returnedAt && now < returnedAt + jitterMs) return 'loading'
  if (restLeftMs > 0) return 'resting'
  if (hold !== undefined) return hold
  return hasToken ? 'ready' : 'loading'
}
