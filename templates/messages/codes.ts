/** Maps codes of the API to message keys. A code that is newer than the page has no key of its own. */
import type { ProblemCode } from '../../core/outcome.ts'
import type { RefusalReason } from '../../core/refusals.ts'
import { wordedProblems, wordedRefusals } from './message-keys.ts'

/** Returns the key of a problem; falls back to `problem.invalid-request`. */
export const knownProblemKey = (code: string) =>
  problemKey(wordedProblems.includes(code) ? (code as ProblemCode) : 'invalid-request')

/** Returns the key of a problem that this page expects. */
export const problemKey = <C extends ProblemCode>(code: C): `problem.${C}` => `problem.${code}`

/** Returns the key of the reason why the console's request was refused; undefined for an unknown reason. */
export const refusalKey = (reason: string): `refusal.${RefusalReason}` | undefined =>
  wordedRefusals.includes(reason) ? `refusal.${reason as RefusalReason}` : undefined
