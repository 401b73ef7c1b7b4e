/**
 * May this click go on to the stock (G3-G5)? Everything else about it is known to be good by now, so that admissions are
 * spent on those who can win. Whoever is refused after all, further on, takes nobody's place.
 */
import { lookupOf } from '../../core/lookup.ts'
import { passedOn } from '../adapter.ts'
import { ofSale, refuse, refuseForNow } from '../app-env.ts'
import { allPlacesTaken, coolDown } from './full.ts'
import { nothingIsLeft } from './sold-out.ts'

export const checkAdmission = ofSale(async (c, next, { saleId, facts }) => {
  const { visit } = c.env
  const { memory, now } = visit
  const admission = await memory.admissions.spend(saleId, facts.restockedRevision, now)
  if (admission.kind !== 'admitted') {
    // Do not count a request that we asked to retry.
    c.var.takeBack()
    if (admission.kind === 'full') {
      return refuse(c, 'at-capacity', allPlacesTaken, { retryAfterSeconds: coolDown(visit) })
    }
    if (admission.kind === 'sold-out') {
      const lookup = lookupOf(facts.rules.kind, saleId)
      return refuse(c, 'sold-out', nothingIsLeft, { remaining: 0, lookup })
    }
    return refuseForNow(c)
  }
  c.set('admission', admission.second)
  try {
    await next()
  } finally {
    if (c.res !== passedOn) admission.giveBack()
  }
})
