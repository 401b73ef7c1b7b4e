/**
 * May this click go on to the stock (G3-G5)? Everything else about it is known to be good by now, so that admissions are
 * spent on those who can win. Whoever is refused after all, further on, takes nobody's place.
 */
import { passedOn } from '../adapter.ts'
import { ofSale, refuse, refuseForNow } from '../app-env.ts'
import { allPlacesTaken, longestWaitWhenFull } from './full.ts'
import { nothingIsLeft } from './sold-out.ts'

export const checkAdmission = ofSale(async (c, next, { saleId, facts }) => {
  const { memory, now } = c.env.visit
  const admission = await memory.admissions.spend(saleId, facts.restockedAt, now)
  if (admission.kind !== 'admitted') {
    // Told to come back in a moment, one must not be throttled for having come.
    c.var.takeBack()
    if (admission.kind === 'full') return refuseForNow(c, allPlacesTaken, longestWaitWhenFull)
    if (admission.kind === 'sold-out') return refuse(c, 'sold-out', nothingIsLeft, { remaining: 0 })
    return refuseForNow(c)
  }
  c.set('admission', admission.second)
  try {
    await next()
  } finally {
    if (c.res !== passedOn) admission.giveBack()
  }
})
