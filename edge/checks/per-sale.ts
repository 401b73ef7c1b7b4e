/** Is more coming through for this sale than this instance may let on (R4)? Counted last, so only what passed fills it. */
import { ofSale, refuseForSeconds } from '../app-env.ts'

export const checkPerSale = ofSale(async (c, next, { saleId, facts }) => {
  const { perSale: rule } = facts.rules.throttle
  const { memory, now } = c.env.visit
  const wait = memory.perSale.waitSeconds(saleId, rule, now)
  if (wait > 0) return refuseForSeconds(c, wait)
  memory.perSale.add(saleId, 1, rule, now)
  return next()
})
