/** Has this shopper asked too often for this sale (R2)? */
import { type AppCheck, refuse } from '../app-env.ts'

export const checkPerShopper: AppCheck = async (c, next) => {
  const { route, facts, memory } = c.env.visit
  if (route.kind !== 'buy' || facts === undefined) return refuse(c, 'unavailable', 'Try again in a moment.')
  const retryAfterSeconds = memory.throttle.waitSeconds(route.saleId, c.var.shopper.shopperId, {
    limit: facts.throttleLimit,
    windowSeconds: facts.throttleWindowSeconds,
  })
  if (retryAfterSeconds === 0) return next()
  return refuse(c, 'too-many-requests', `Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
}
