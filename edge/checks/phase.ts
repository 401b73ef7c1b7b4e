/**
 * May anyone buy now (G2, G3)? The crowd that is too early or too late ends here, in memory, and everybody while the
 * stock is rebuilt (I6).
 */
import { phaseAt } from '../../core/phase.ts'
import { prebuiltNotStarted, prebuiltProblem, unavailable } from '../problem-response.ts'
import type { MemoryCheck } from '../visit.ts'

const notStarted = prebuiltNotStarted()
const paused = prebuiltProblem('paused', 'The sale goes on when the seller resumes it.')
const ended = prebuiltProblem('ended', 'This sale is over.')

/** The stock is the next check's business. */
const anyStock = -1

export const checkPhase: MemoryCheck = ({ facts, now }) => {
  if (facts === undefined || facts.fenced) return unavailable()
  const { flag, startsAt, endsAt } = facts
  // A sale is in the gate's store only once its stock is on the shelf.
  switch (phaseAt({ warmed: true, flag, startsAt, endsAt }, now, anyStock)) {
    case 'open':
      return undefined
    case 'paused':
      return paused
    case 'ended':
      return ended
    default:
      return notStarted(now)
  }
}
