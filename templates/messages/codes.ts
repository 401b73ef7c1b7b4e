/** The keys of the words for codes in answers of the API. A code that is newer than the page has none of its own. */
import type { ProblemCode } from '../../core/outcome.ts'
import type { RefusalReason } from '../../core/refusals.ts'
import { wordedProblems, wordedRefusals } from './message-keys.ts'

/** The key of a problem; for one without words that of a wrong request. */
export const keyOfProblem = (code: string) =>
  problemKey(wordedProblems.includes(code) ? (code as ProblemCode) : 'invalid-request')

/** The key of a problem that this page expects. */
export const problemKey = <C extends ProblemCode>(code: C): `problem.${C}` => `problem.${code}`

/** The key of why the console's request was refused; undefined for a reason without words. */
export const refusalKey = (reason: string): `refusal.${RefusalReason}` | undefined =>
  wordedRefusals.includes(reason) ? `refusal.${reason as RefusalReason}` : undefined
