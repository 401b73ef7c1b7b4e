/** Checks of the stock that is left, and of admissions, in total and per second (G3-G5, R4). */
import { lookupPathFor } from '../../core/buy/lookup.ts'
import { soldOutInChoice } from '../../core/outcome.ts'
import { variantsSoldOut } from '../../core/sale/variants.ts'
import { prebuiltFinal, prebuiltRetries, randomWaitSeconds, unavailableResponse } from '../problem-response.ts'
import { answerWith, type Check, type RequestContext, refuse, refuseForNow } from '../typed-funnel.ts'

const soldOutText = 'Sold out. Units of cancelled orders go back on sale.'
export const soldOut = prebuiltFinal('sold-out', soldOutText, { remaining: 0 })

/** Refuses from the stock facts in memory (G4, C8). */
export const checkSoldOut: Check<'sale'> = (c, next) => {
  const { saleId, facts } = c.get('sale')
  return facts.soldOut ? answerWith(c, soldOut(facts.rules.kind, saleId)) : next()
}

/** Refuses a purchase whose variant is sold out (N1). */
export const checkSoldOutVariant: Check<'sale'> = (c, next) => {
  const variant = c.get('variant')
  const { saleId, facts } = c.get('sale')
  if (variant === undefined || !variantsSoldOut(facts).includes(variant)) return next()
  return refuse(c, 'sold-out', soldOutInChoice, { variant, lookup: lookupPathFor(facts.rules.kind, saleId) })
}

const atCapacityText = 'At capacity right now. Places may open up: try again.'

/** Maximum wait of a refused client, seconds: an instance requests no lease for as long (memory/admissions.ts). */
const maxCooldownSeconds = 2

const atCapacity = prebuiltRetries('at-capacity', atCapacityText, maxCooldownSeconds)

/**
 * Refuses from memory while all admissions, or those of this second, are in use (G4, R4). A client that ignores `Retry-After`
 * does not get the next free admission (cooldowns in memory.ts).
 */
export const checkAdmissionsLeft: Check<'memory' | 'sale'> = (c, next) => {
  const memory = c.get('memory')
  const { saleId, facts } = c.get('sale')
  const { request, now } = c.env
  // Units that came back (`restockedRevision`) end a refusal.
  const refused = memory.admissions.refusal(saleId, facts.restockedRevision, now)
  if (refused?.kind === 'sold-out') return answerWith(c, soldOut(facts.rules.kind, saleId))
  if (refused?.kind === 'unavailable') return answerWith(c, unavailableResponse())
  return refused === undefined && !memory.cooldowns.isRunning(saleId, request.headers, now)
    ? next()
    : answerWith(c, atCapacity(coolDown(c)))
}

/** Starts, or restarts, the wait of the client; returns its whole seconds. */
function coolDown(c: RequestContext<'memory' | 'sale'>): number {
  const seconds = randomWaitSeconds(maxCooldownSeconds)
  const { request, now } = c.env
  c.get('memory').cooldowns.start(c.get('sale').saleId, request.headers, seconds, now)
  return seconds
}

/**
 * Spends an admission (G3-G5, R4): the permission for one request to call the script. This check comes late, so that admissions
 * go to requests that can win. The admission is released when a later check refuses the request. Otherwise `reserve`
 * completes it if the request took nothing or the queue refused its message, the writer if it took units, or it expires
 * (functions/buy/dispatch-order.ts).
 */
export const checkAdmission: Check<'memory' | 'sale' | 'undoCount' | 'solved', 'admission'> = async (c, next) => {
  const { saleId, facts } = c.get('sale')
  const admission = await c.get('memory').admissions.spend(saleId, facts.restockedRevision, c.env.now)
  if (admission.kind !== 'admitted') {
    // A request that got no admission does not count in the throttle of its shopper.
    c.get('undoCount')()
    if (admission.kind === 'full') {
      return refuse(c, 'at-capacity', atCapacityText, { retryAfterSeconds: coolDown(c) })
    }
    if (admission.kind === 'sold-out') {
      const lookup = lookupPathFor(facts.rules.kind, saleId)
      return refuse(c, 'sold-out', soldOutText, { remaining: 0, lookup })
    }
    return refuseForNow(c)
  }
  c.set('admission', admission.second)
  try {
    await next()
  } finally {
    if (c.env.answer !== c.env.request) admission.release()
  }
}
