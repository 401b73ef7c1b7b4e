/**
 * May this click go on to the stock (G3-G5)? Everything else about it is known to be good by now, so that admissions are
 * spent on those who can win. Whoever is refused after all, further on, takes nobody's place.
 */
import { passedOn } from '../adapter.ts'
import { type AppCheck, refuseForNow } from '../app-env.ts'
import { saleOf } from '../visit.ts'
import { allPlacesTaken, longestWaitWhenFull } from './full.ts'

export const checkAdmission: AppCheck = async (c, next) => {
  const { visit } = c.env
  const sale = saleOf(visit)
  if (sale === undefined) return refuseForNow(c)
  const admission = await visit.memory.admissions.spend(sale.saleId, sale.facts.restockedAt, visit.now)
  if (admission.kind === 'full') return refuseForNow(c, allPlacesTaken, longestWaitWhenFull)
  if (admission.kind === 'dark') return refuseForNow(c)
  c.set('admission', admission.second)
  try {
    await next()
  } finally {
    if (c.res !== passedOn) admission.giveBack()
  }
}
