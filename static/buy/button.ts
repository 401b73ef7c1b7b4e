/**
 * Computes the state of the buy button: disabled until the sale opens by the shop's time (C5), one request per click, then
 * a rest (C7), whose length `opening-state.ts` decides.
 */
import type { Phase } from '../../core/sale/phase.ts'
import type { CheckHold } from '../check/person-check.ts'

/** Pages enable their buttons spread over this time, ms, so that the first clicks do not arrive all at once. */
export const lightJitterMs = 500

/**
 * `now`, `startsAt` and `returnedAt` (the last time units were released) are epoch ms on the shop's clock. The button is
 * enabled `jitterMs` after the start, and after units were released. `turnMs` is the shopper's turn after the start;
 * undefined while the page computes it. `restLeftMs` uses the device's clock, so that clock samples cannot move it.
 * `unsure`: the last answer was lost, so the shopper may retry in any phase. `owns`: the shopper has as many units as the
 * limit allows, and the button leads to the order. `hold`: a check delays the click (R5).
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
  hold: CheckHold | undefined
}

type ButtonKind =
  | CheckHold
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

/** `label` replaces the text of the kind. */
export type ButtonState = { kind: ButtonKind; lit: boolean; secondsLeft: number; label?: string }

/**
 * Returns the state of the button. Only a `lit` one acts on a click. `secondsLeft` counts the rest or the time to the
 * shopper's turn.
 */
export function buttonState(facts: ButtonFacts): ButtonState {
  const kind = kindOf(facts)
  const lit = kind === 'ready' || kind === 'again' || kind === 'owned'
  const leftMs = kind === 'resting' ? facts.restLeftMs : kind === 'turn' ? msUntilTurn(facts) : 0
  return { kind, lit, secondsLeft: Math.ceil(leftMs / 1000) }
}

/** Changes a button that would buy into one that leads to the choice, for a shopper who has chosen nothing. */
export function beforeChoice(state: ButtonState): ButtonState {
  return state.kind === 'ready' || state.kind === 'again' ? { ...state, kind: 'choose' } : state
}

/** Changes a button that would buy, now or later, into one that leads to the sign-in, for a guest. */
export function beforeSignIn(state: ButtonState): ButtonState {
  return ['early', 'turn', 'ready'].includes(state.kind) ? { ...state, kind: 'sign-in', lit: true } : state
}

/** Returns the time to the shopper's turn in a started sale, ms; 0 before the start. */
export function msUntilTurn({ now, startsAt, turnMs = 0 }: Pick<ButtonFacts, 'now' | 'startsAt' | 'turnMs'>): number {
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
  if (msUntilTurn(facts) > 0) return 'turn'
  // If the pointer says “open” before the start, this clock is slow, and waiting for it could take hours.
  if (now >= startsAt && now < startsAt + jitterMs) return 'early'
  if (returnedAt !== undefined && now >= returnedAt && now < returnedAt + jitterMs) return 'loading'
  if (restLeftMs > 0) return 'resting'
  if (hold !== undefined) return hold
  return hasToken && turnMs !== undefined ? 'ready' : 'loading'
}
