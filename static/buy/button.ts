/**
 * The one button: grey until the shop's time says so (C5), one request per click, then a rest (C7):
 * ten seconds, or a second and a half when the click was only too early; opening-state.ts decides. Pure, so
 * that every state can be tested without a page.
 */
import type { Phase } from '../../core/sale/phase.ts'
import type { Hold } from '../check/person-check.ts'

/** Pages light up spread over this long, so that the first clicks do not all arrive in one instant. */
export const lightJitterMs = 500

/**
 * `now`, `startsAt` and `returnedAt` are epoch ms on the shop's clock; the page lights its own `jitterMs` after the
 * start, and after it saw units return (undefined without any). `turnMs` is the shopper's turn after the start,
 * undefined while the page works it out. `restLeftMs` comes from the device's own clock, which a late clock sample
 * cannot move. `unsure`: the answer of the last click was lost, so the shopper may repeat it in any phase. `owns`: the
 * shopper has as many units as the limit allows, and the button leads to the order. `hold`: a check delays the click
 * (R5).
 */
export type ButtonFacts = {
  phase: Phase | undefined
  hasToken: boolean
  now: number
  startsAt: number
  returnedAt: number | undefined
  jitterMs: number
  turnMs: number | undefined
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
  | 'sign-in'
  | 'turn'
  | 'ready'
  | 'choose'
  | 'again'
  | 'sending'
  | 'resting'
  | 'paused'
  | 'held-back'
  | 'sold-out'
  | 'ended'
  | 'won'
  | 'owned'

/** `label` are the words of a page for a state of its own. */
export type ButtonState = { kind: ButtonKind; lit: boolean; secondsLeft: number; label?: string }

/**
 * What the button shows; only a `lit` one may send a request, or lead to the order. `secondsLeft`
 * counts while it rests, and down to the shopper's turn.
 */
export function buttonState(facts: ButtonFacts): ButtonState {
  const kind = kindOf(facts)
  const lit = kind === 'ready' || kind === 'again' || kind === 'owned'
  const leftMs = kind === 'resting' ? facts.restLeftMs : kind === 'turn' ? turnLeftMs(facts) : 0
  return { kind, lit, secondsLeft: Math.ceil(leftMs / 1000) }
}

/** The same where the shopper has chosen nothing yet: a button that would buy leads to the choice. */
export function beforeChoice(state: ButtonState): ButtonState {
  return state.kind === 'ready' || state.kind === 'again' ? { ...state, kind: 'choose' } : state
}

/** The same for a guest: a button that would buy, now or later, leads to the sign-in. */
export function beforeSignIn(state: ButtonState): ButtonState {
  return ['early', 'turn', 'ready'].includes(state.kind) ? { ...state, kind: 'sign-in', lit: true } : state
}

/** How long the shopper still waits for the turn in a sale that has started; 0 also before the start. */
export function turnLeftMs({ now, startsAt, turnMs = 0 }: Pick<ButtonFacts, 'now' | 'startsAt' | 'turnMs'>): number {
  return now < startsAt ? 0 : Math.max(0, startsAt + turnMs - now)
}

function kindOf(facts: ButtonFacts): ButtonKind {
  const { phase, restLeftMs, sending, won, unsure, owns } = facts
  if (won) return 'won'
  if (sending) return 'sending'
  if (unsure) return restLeftMs > 0 ? 'resting' : 'again'
  if (owns) return 'owned'
  if (phase === undefined) return 'loading'
  if (phase === 'scheduled') return 'early'
  return phase === 'open' ? kindWhileOpen(facts) : phase
}

function kindWhileOpen(facts: ButtonFacts): ButtonKind {
  const { hasToken, now, startsAt, returnedAt, jitterMs, turnMs, restLeftMs, hold } = facts
  if (turnLeftMs(facts) > 0) return 'turn'
  // Open by the pointer and yet before the start: this clock is slow, and waiting for it could take hours.
  if (now >= startsAt && now < startsAt + jitterMs) return 'early'
  if (returnedAt !== undefined && now >= returnedAt && now < returnedAt + jitterMs) return 'loading'
  if (restLeftMs > 0) return 'resting'
  if (hold !== undefined) return hold
  return hasToken && turnMs !== undefined ? 'ready' : 'loading'
}
