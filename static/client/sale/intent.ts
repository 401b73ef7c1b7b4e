/**
 * What a click asks for. It may fall in a moment when the page has a new pointer and not yet its
 * countdown.
 */
import type { Phase } from '../../../core/sale/phase.ts'

/** `held`: a check keeps the click back (R5). */
type IntentFacts = {
  startToken: string | undefined
  phase: Phase | undefined
  unsure: boolean
  held: boolean
}

/**
 * `buy` with the token to buy with; `check` looks for an order whose answer was lost; undefined:
 * nothing to send.
 */
export type Intent = { kind: 'buy'; startToken: string } | { kind: 'check' }

/** The intent of a click on a page that knows this much. */
export function intentOf({ startToken, phase, unsure, held }: IntentFacts): Intent | undefined {
  if (startToken !== undefined && phase === 'open' && !held) return { kind: 'buy', startToken }
  return unsure ? { kind: 'check' } : undefined
}
