/**
 * How long the button rests (C7): ten seconds after a click with any answer, and longer when the
 * shop asks for it. Exceptions: `not-started` is about the page's timing and not the shopper's, so
 * it costs only a moment, and `not-your-turn` only the time that the shop names. A click without a session or a connection had no effect: it costs no
 * rest, before or after signing in. `at-capacity` is not one: its one or two seconds are for
 * programs, and a crowd that returned so soon would ask ten times for the few places that become
 * free.
 */
import type { Settled } from './refusal.ts'

/**
 * The gate may learn of a start up to a second after the page; a click in between should not cost
 * ten.
 */
export const earlyRestMs = 1500

/**
 * Milliseconds the button rests from the moment the answer is known; `restLeftMs` is what the click
 * left of its own.
 */
export function restAfter(outcome: Settled, restLeftMs: number): number {
  const askedMs = 'retryAfterSeconds' in outcome ? outcome.retryAfterSeconds * 1000 : 0
  return Math.max(ownRestMs(outcome, restLeftMs), askedMs)
}

function ownRestMs(outcome: Settled, restLeftMs: number): number {
  const code = outcome.kind === 'refused' ? outcome.code : undefined
  if (outcome.kind === 'offline' || code === 'sign-in-required' || code === 'not-your-turn') return 0
  return code === 'not-started' ? earlyRestMs : restLeftMs
}
