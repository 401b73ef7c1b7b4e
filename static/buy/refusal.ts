/** Converts definite refusals of clicks for the page. */
import type { Problem } from '../../client/types.ts'

/**
 * `atGate`: the gate rejected the click, and no function received it. `code` may be newer than this page. `variant` has too
 * few units (N1).
 */
export type ClickRefusal = {
  kind: 'refused'
  code: string
  remaining: number
  retryAfterSeconds: number
  atGate: boolean
  variant?: string | undefined
}

/** The answer to a click of any kind. */
export type ClickAnswer =
  | ClickRefusal
  | { kind: 'won' | 'gone' | 'unsure' | 'offline' }
  | { kind: 'busy'; retryAfterSeconds: number }

/** Returns a refusal for the page. A missing number is 0. */
export const refusalOf = (problem: Problem, { atGate }: { atGate: boolean }): ClickRefusal => ({
  kind: 'refused',
  code: problem.code,
  remaining: problem.remaining ?? 0,
  retryAfterSeconds: problem.retryAfterSeconds ?? 0,
  atGate,
  variant: problem.variant,
})

/** Refusals that prove that the page's pointer or start token is stale. */
const outdating: readonly string[] = ['not-started', 'paused', 'ended', 'stale-page', 'unknown-sale']

/**
 * True when the answer proves that the page is stale and must poll. `sold-out` has the remaining units in the answer, but
 * only for the whole sale and not for a variant.
 */
export function outdatesPage(outcome: ClickAnswer): boolean {
  if (outcome.kind !== 'refused') return false
  return outdating.includes(outcome.code) || outcome.variant !== undefined
}
