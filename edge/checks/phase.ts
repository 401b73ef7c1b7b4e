/**
 * May anyone buy now (G2, G3)? The crowd that is too early or too late ends here, in memory, and everybody while the
 * stock is rebuilt (I6). Between two windows everybody is early for the next (R7).
 */
import { type Phase, phaseAt } from '../../core/phase.ts'
import type { EdgeResponse } from '../cloudfront.ts'
import { noteEarlyClick } from '../early-clicks.ts'
import type { GateFacts } from '../gate-store.ts'
import { prebuiltFinal, prebuiltNotStarted, prebuiltProblem, unavailable } from '../problem-response.ts'
import { ofSale, type VisitedSale } from '../visit.ts'

const notStarted = prebuiltNotStarted()
const paused = prebuiltProblem('paused', 'The sale goes on when the seller resumes it.')
const ended = prebuiltFinal('ended', 'This sale is over.')

/** The stock is the next check's business. */
const anyStock = -1

/** For purchases: an early one is noted. */
export const checkPhase = ofSale((visit, sale) => {
  const phase = phaseIn(sale.facts, visit.now)
  if (phase !== 'scheduled') return refusalIn(phase, sale)
  noteEarlyClick(visit, sale)
  return notStarted(visit.now)
})

/** For what is prepared before the start, such as a challenge. */
export const checkNotOver = ofSale(({ now }, sale) => {
  const phase = phaseIn(sale.facts, now)
  return phase === 'scheduled' ? undefined : refusalIn(phase, sale)
})

/** Undefined while nobody may know. */
function phaseIn(facts: GateFacts, now: number): Phase | undefined {
  const { flag, startsAt, endsAt, nextStartsAt, fenced } = facts
  if (fenced) return undefined
  // A sale is in the gate's store only once its stock is on the shelf.
  return phaseAt({ warmed: true, flag, startsAt, endsAt, hasNext: nextStartsAt !== null }, now, anyStock)
}

function refusalIn(phase: Phase | undefined, { saleId, facts }: VisitedSale): EdgeResponse | undefined {
  switch (phase) {
    case 'open':
      return undefined
    case 'paused':
      return paused
    case 'ended':
      return ended(facts.rules.kind, saleId)
    default:
      return unavailable()
  }
}
