/** A click that was refused for sure, and what those need to know of any answer who care for refusals only. */
import type { Problem } from '../../client/types.ts'

/**
 * `atGate`: the gate rejected the click, and no function has seen it. `code` may be newer than this
 * page. `variant` is that of which too few units are left (N1).
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
export type Settled =
  | ClickRefusal
  | { kind: 'won' | 'gone' | 'unsure' | 'offline' }
  | { kind: 'busy'; retryAfterSeconds: number }

/** A refusal as the page shows it; a number that is missing is 0. */
export const refusalOf = (problem: Problem, atGate: boolean): ClickRefusal => ({
  kind: 'refused',
  code: problem.code,
  remaining: problem.remaining ?? 0,
  retryAfterSeconds: problem.retryAfterSeconds ?? 0,
  atGate,
  variant: problem.variant,
})

/** Refusals that say that the page's pointer or start token is old. */
const outdating: readonly string[] = ['not-started', 'paused', 'ended', 'stale-page', 'unknown-sale']

/**
 * Whether the answer shows that the page should poll at once. Of a sale that is sold out the answer itself says what is
 * left, but not of the variant that it names, and the others say nothing of the sale.
 */
export function outdatesPage(outcome: Settled): boolean {
  if (outcome.kind !== 'refused') return false
  return outdating.includes(outcome.code) || outcome.variant !== undefined
}
