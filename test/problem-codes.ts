import { type OutcomeKind, outcomes, type ProblemCode } from '../core/outcome.ts'

const successes: readonly OutcomeKind[] = ['reserved', 'repeat', 'claimed']

/** Every code of a problem, of the table of outcomes. */
export const problemCodes = (Object.keys(outcomes) as OutcomeKind[]).filter(
  (kind): kind is ProblemCode => !successes.includes(kind),
)
