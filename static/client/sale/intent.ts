/** What a click asks for. It may fall in a moment when the page has a new pointer and not yet its countdown. */
import type { Phase } from '../../../core/phase.ts'

type IntentFacts = { startToken: string | undefined; phase: Phase | undefined; unsure: boolean }

/** `buy` with the token to buy with; `check` looks for an order whose answer was lost; undefined: nothing to send. */
export type Intent = { kind: 'buy'; startToken: string } | { kind: 'check' }

/** The intent of a click on a page that knows this much. */
export function intentOf({ startToken, phase, unsure }: IntentFacts): Intent | undefined {
  if (startToken !== undefined && phase === 'open') return { kind: 'buy', startToken }
  return unsure ? { kind: 'check' } : undefined
}
