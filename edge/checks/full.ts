/**
 * Are all admissions out, as far as this instance was told (G4)? The crowd that came for them waits in memory, and a client that
 * does not wait as asked does not get the place that comes free: edge/cooldowns.ts has the rule.
 */
import { prebuiltRetries, secondsToWait, unavailable } from '../problem-response.ts'
import { ofSale, type Visit } from '../visit.ts'
import { soldOut } from './sold-out.ts'

/** What a shopper is told who comes while as many as can win are at it. */
export const allPlacesTaken = 'All places are taken for the moment. Some may come free: try again.'

/** The longest wait, seconds: no longer than the gate itself waits before it asks again. */
const longestWait = 2

const full = prebuiltRetries('at-capacity', allPlacesTaken, longestWait)

export const checkFull = ofSale((visit, { saleId, facts }) => {
  const { memory, now } = visit
  const refused = memory.admissions.refusal(saleId, facts.restockedRevision, now)
  if (refused?.kind === 'sold-out') return soldOut(facts.rules.kind, saleId)
  if (refused?.kind === 'unavailable') return unavailable()
  return refused === undefined && !memory.cooldowns.isRunning(visit) ? undefined : full(coolDown(visit))
})

/** Starts the wait of the client that is refused, or starts it anew; returns its whole seconds. */
export function coolDown(visit: Visit): number {
  const seconds = secondsToWait(longestWait)
  visit.memory.cooldowns.start(visit, seconds)
  return seconds
}
