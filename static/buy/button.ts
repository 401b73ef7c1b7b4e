/**
 * Computes the state of the buy button: disabled until the sale opens by the shop's time (C5), one click at a time, then
 * a cooldown (C7), whose length `static/sale/opening-state.ts` decides. Ids such as C5 are in docs/reference/rules.md.
 */
import type { Phase } from '../../core/sale/phase.ts'
import type { CheckHold } from '../check/person-check.ts'

/** Pages enable their buttons spread over this time, ms, so that the first clicks do not arrive all at once. */
export const enableJitterMs = 500

/**
 * `now`, `startsAt` and `releasedAt` (when the page last saw units return) are epoch ms on the shop's clock. The button is
 * enabled `jitterMs` after the start, and after units were released. `turnMs` is the shopper's turn after the start; undefined
 * while the page computes it. `cooldownLeftMs` uses the device's clock, so that a new measurement of the shop's clock cannot
 * move it. `unsure`: the last answer was lost, so the shopper may click in any phase: that retries, or looks up the order.
 * `owns`: the shopper has as many units as the limit allows, and the button leads to the order. `pendingCheck` delays the click
 * (R5).
 */
export type ButtonFacts = {
  phase: Phase | undefined
  hasToken: boolean
  now: number
  startsAt: number
  releasedAt: number | undefined
  jitterMs: number
  turnMs: number | undefined
  cooldownLeftMs: number
  sending: boolean
  won: boolean
  unsure: boolean
  owns: boolean
  pendingCheck: CheckHold | undefined
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
  | 'cooldown'
  | 'paused'
  | 'held-back'
  | 'sold-out'
  | 'ended'
  | 'won'
  | 'owned'

/** `label` replaces the text of the kind. */
export type ButtonState = { kind: ButtonKind; isEnabled: boolean; secondsLeft: number; label?: string }

/**
 * Returns the state of the button. Only an enabled one acts on a click. `secondsLeft` counts the cooldown or the time to the
 * shopper's turn.
 */
export function buttonState(facts: ButtonFacts): ButtonState {
  const kind = kindOf(facts)
  const isEnabled = kind === 'ready' || kind === 'again' || kind === 'owned'
  const leftMs = kind === 'cooldown' ? facts.cooldownLeftMs : kind === 'turn' ? msUntilTurn(facts) : 0
  return { kind, isEnabled, secondsLeft: Math.ceil(leftMs / 1000) }
}

/** Changes a button that would send a click into one that leads to the choice, for a shopper who has chosen nothing. */
export function toChoiceButton(state: ButtonState): ButtonState {
  return state.kind === 'ready' || state.kind === 'again' ? { ...state, kind: 'choose' } : state
}

/** Changes a button that would buy, now or later, into one that leads to the sign-in, for a guest. */
export function toSignInButton(state: ButtonState): ButtonState {
  return ['early', 'turn', 'ready'].includes(state.kind) ? { ...state, kind: 'sign-in', isEnabled: true } : state
}

/** Returns the time to the shopper's turn in a started sale, ms; 0 before the start. */
export function msUntilTurn({ now, startsAt, turnMs = 0 }: Pick<ButtonFacts, 'now' | 'startsAt' | 'turnMs'>): number {
  return now < startsAt ? 0 : Math.max(0, startsAt + turnMs - now)
}

function kindOf(facts: ButtonFacts): ButtonKind {
  const { phase, cooldownLeftMs, sending, won, unsure, owns } = facts
  if (won) return 'won'
  if (sending) return 'sending'
  if (unsure) return cooldownLeftMs > 0 ? 'cooldown' : 'again'
  if (owns) return 'owned'
  if (phase === undefined) return 'loading'
  if (phase === 'scheduled') return 'early'
  return phase === 'open' ? kindWhileOpen(facts) : phase
}

function kindWhileOpen(facts: ButtonFacts): ButtonKind {
  const { hasToken, now, startsAt, releasedAt, jitterMs, turnMs, cooldownLeftMs, pendingCheck } = facts
  if (msUntilTurn(facts) > 0) return 'turn'
  // The publisher says that the sale is open. If `now < startsAt`, this page's estimate of the shop's time is slow, perhaps
  // by hours: do not wait for it.
  if (now >= startsAt && now < startsAt + jitterMs) return 'early'
  if (releasedAt !== undefined && now >= releasedAt && now < releasedAt + jitterMs) return 'loading'
  if (cooldownLeftMs > 0) return 'cooldown'
  if (pendingCheck !== undefined) return pendingCheck
  return hasToken && turnMs !== undefined ? 'ready' : 'loading'
}
