/** Are all admissions out, as far as this instance was told (G4)? The crowd that came for them waits in memory. */
import { prebuiltUnavailable, unavailable } from '../problem-response.ts'
import { ofSale } from '../visit.ts'
import { soldOut } from './sold-out.ts'

/** What a shopper is told who comes while as many as can win are at it, and the longest wait in seconds. */
export const allPlacesTaken = 'All places are taken for the moment. Some may come free: try again.'
export const longestWaitWhenFull = 2

const full = prebuiltUnavailable(allPlacesTaken, longestWaitWhenFull)

export const checkFull = ofSale(({ memory, now }, { saleId, facts }) => {
  const refused = memory.admissions.refusal(saleId, facts.restockedAt, now)
  if (refused === undefined) return undefined
  if (refused.kind === 'sold-out') return soldOut
  return refused.kind === 'full' ? full() : unavailable()
})
