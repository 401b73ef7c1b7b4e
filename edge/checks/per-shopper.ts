/** Has this shopper asked too often, for this sale (R2) or with their orders? */
import type { Context } from 'hono'
import { type AppCheck, type AppEnv, refuse } from '../app-env.ts'
import type { ThrottleRule, ThrottleScope } from '../throttle.ts'

/**
 * Paying and cancelling cost a transaction each, and an honest page asks again once a second while an order is being
 * written; far more than that is a script.
 */
const orderChanges: ThrottleRule = { limit: 30, windowSeconds: 60 }

export const checkPerShopper: AppCheck = async (c, next) => {
  const { route, facts } = c.env.visit
  if (route.kind !== 'buy' || facts === undefined) return refuse(c, 'unavailable', 'Try again in a moment.')
  const { throttleLimit: limit, throttleWindowSeconds: windowSeconds } = facts
  return refusalOf(c, route.saleId, { limit, windowSeconds }) ?? next()
}

export const checkOrderChanges: AppCheck = async (c, next) =>
  refusalOf(c, 'order changes', orderChanges) ?? next()

function refusalOf(c: Context<AppEnv>, scope: ThrottleScope, rule: ThrottleRule): Response | undefined {
  const { throttle } = c.env.visit.memory
  const retryAfterSeconds = throttle.waitSeconds(scope, c.var.shopper.shopperId, rule)
  if (retryAfterSeconds === 0) return undefined
  return refuse(c, 'too-many-requests', `Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
}
