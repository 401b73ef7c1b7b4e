/**
 * May anyone buy now (G2, G3)? The crowd that is too early or too late ends here, in memory, and everybody while the
 * stock is rebuilt (I6). Between two windows everybody is early for the next (R7).
 */
import { type Phase, phaseAt } from '../../core/phase.ts'
import type { EdgeResponse } from '../cloudfront.ts'
import { noteEarlyClick } from '../early-clicks.ts'
import type { GateFacts } from '../gate-store.ts'
import { lookForNewerOpening, startTokenIn } from '../newer-opening.ts'
import { prebuiltFinal, prebuiltNotStarted, prebuiltProblem, unavailable } from '../problem-response.ts'
import { ofSale, type Visit, type VisitedSale } from '../visit.ts'

const notStarted = prebuiltNotStarted()
const paused = prebuiltProblem('paused', 'The sale goes on when the seller resumes it.')
const ended = prebuiltFinal('ended', 'This sale is over.')

/** The stock is the next check's business. */
const anyStock = -1

/** For purchases: an early one is noted, once it is sure that memory is not late. */
export const checkPhase = ofSale((visit, sale) => {
  const phase = phaseIn(sale.facts, visit.now)
  if (sale.facts.frozen) visit.memory.admissions.returnUnspent(sale.saleId)
  if (phase !== 'scheduled' && phase !== 'paused') return refusalIn(phase, sale)
  const asked = lookForNewerOpening(visit, sale, startTokenIn(visit))
  return asked === undefined
    ? refuseBuy(visit, sale, phase)
    : asked.then((facts) =>
        facts === undefined
          ? refuseBuy(visit, sale, phase)
          : refuseBuy(visit, { ...sale, facts }, phaseIn(facts, visit.now)),
      )
})

function refuseBuy(visit: Visit, sale: VisitedSale, phase: Phase | undefined): EdgeResponse | undefined {
  if (phase !== 'scheduled') return refusalIn(phase, sale)
  noteEarlyClick(visit, sale)
  return notStarted(visit.now)
}

/** For what is prepared before the start, such as a challenge. */
export const checkNotOver = ofSale(({ now }, sale) => {
  const phase = phaseIn(sale.facts, now)
  return phase === 'scheduled' ? undefined : refusalIn(phase, sale)
})

/** Undefined while nobody may know. */
function phaseIn(facts: GateFacts, now: number): Phase | undefined {
  const { flag, startsAt, endsAt, nextStartsAt, frozen } = facts
  if (frozen) return undefined
  // One whose stock is not in Redis yet is off, which is as good as scheduled.
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
