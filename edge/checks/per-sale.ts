/**
 * Is more coming through for this sale than this instance may let on (R4)? The last check of all, so that only what is forwarded
 * counts: requests that fail for any other reason take no share from honest ones.
 */
import { ofSale, refuseForSeconds } from '../app-env.ts'

export const checkPerSale = ofSale(async (c, next, { saleId, facts }) => {
  const { perSale: rule } = facts.rules.throttle
  const { memory, now } = c.env.visit
  const wait = memory.perSale.waitSeconds(saleId, rule, now)
  if (wait > 0) {
    // Do not count a request that we asked to retry.
    c.var.takeBack()
    return refuseForSeconds(c, wait)
  }
  memory.perSale.add(saleId, 1, rule, now)
  return next()
})
