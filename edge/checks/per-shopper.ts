/** Has this shopper asked too often, for this sale (R2), for its challenges or with their orders? */
import type { Context } from 'hono'
import type { ThrottleRule } from '../../core/sale.ts'
import { type AppCheck, type AppEnv, ofSale, refuseForSeconds } from '../app-env.ts'
import { earlyWaitSeconds } from '../early-clicks.ts'
import type { ThrottleScope } from '../throttle.ts'

/**
 * Paying and cancelling cost a transaction each, and an honest page asks again once a second while an order is being
 * written; far more than that is a script.
 */
const orderChanges: ThrottleRule = { limit: 30, windowSeconds: 60 }

/** A page asks for one before the start, and for a new one when that was refused. */
const challenges: ThrottleRule = { limit: 10, windowSeconds: 60 }

export const checkPerShopper = ofSale(async (c, next, sale) => {
  const { visit } = c.env
  const early = earlyWaitSeconds(visit, sale)
  if (early > 0) return refuseForSeconds(c, early)
  const refusal = refusalOf(c, sale.saleId, sale.facts.rules.throttle.perShopper)
  if (refusal === undefined) visit.memory.addresses.note(visit, 'passed')
  return refusal ?? next()
})

export const checkChallengesOfShopper = ofSale(
  async (c, next, { saleId }) => refusalOf(c, `challenge of ${saleId}`, challenges) ?? next(),
)

export const checkOrderChanges: AppCheck = async (c, next) =>
  refusalOf(c, 'order changes', orderChanges) ?? next()

function refusalOf(c: Context<AppEnv>, scope: ThrottleScope, rule: ThrottleRule): Response | undefined {
  const { visit } = c.env
  const pace = visit.memory.throttle.judge(scope, c.var.shopper.shopperId, rule)
  if (pace.kind === 'passed') {
    c.set('takeBack', pace.takeBack)
    return undefined
  }
  if (pace.stubborn) visit.memory.addresses.note(visit, 'stubborn')
  return refuseForSeconds(c, pace.waitSeconds)
}
