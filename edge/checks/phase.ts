/**
 * May anyone buy now (G2, G3)? The crowd that is too early or too late ends here, in memory, and everybody while the
 * stock is rebuilt (I6). Between two windows everybody is early for the next (R7).
 */
import { type Phase, phaseAt } from '../../core/phase.ts'
import type { EdgeResponse } from '../cloudfront.ts'
import { noteConduct } from '../conduct.ts'
import { prebuiltNotStarted, prebuiltProblem, unavailable } from '../problem-response.ts'
import type { MemoryCheck, Visit } from '../visit.ts'

const notStarted = prebuiltNotStarted()
const paused = prebuiltProblem('paused', 'The sale goes on when the seller resumes it.')
const ended = prebuiltProblem('ended', 'This sale is over.')

/** The stock is the next check's business. */
const anyStock = -1

/** For purchases: an early one is noted, for a script clicks before the start and a page cannot. */
export const checkPhase: MemoryCheck = (visit) => {
  const phase = phaseIn(visit)
  if (phase !== 'scheduled') return refusalIn(phase)
  noteConduct(visit, 'early')
  return notStarted(visit.now)
}

/** For what is prepared before the start, such as a challenge. */
export const checkNotOver: MemoryCheck = (visit) => {
  const phase = phaseIn(visit)
  return phase === 'scheduled' ? undefined : refusalIn(phase)
}

/** Undefined while nobody may know. */
function phaseIn({ facts, now }: Visit): Phase | undefined {
  if (facts === undefined || facts.fenced) return undefined
  const { flag, startsAt, endsAt, nextStartsAt } = facts
  // A sale is in the gate's store only once its stock is on the shelf.
  return phaseAt({ warmed: true, flag, startsAt, endsAt, hasNext: nextStartsAt !== null }, now, anyStock)
}

function refusalIn(phase: Phase | undefined): EdgeResponse | undefined {
  switch (phase) {
    case 'open':
      return undefined
    case 'paused':
      return paused
    case 'ended':
      return ended
    default:
      return unavailable()
  }
}
