/** Is more coming through for this sale than this instance may let on (R4)? Counted last, so only what passed fills it. */
import { type AppCheck, refuseForNow, refuseForSeconds } from '../app-env.ts'
import { saleOf } from '../visit.ts'

export const checkPerSale: AppCheck = async (c, next) => {
  const { visit } = c.env
  const sale = saleOf(visit)
  if (sale === undefined) return refuseForNow(c)
  const { perSale } = sale.facts.rules.throttle
  const { sales } = visit.memory
  const wait = sales.waitSeconds(sale.saleId, perSale, visit.now)
  if (wait > 0) return refuseForSeconds(c, wait)
  sales.add(sale.saleId, 1, perSale, visit.now)
  return next()
}
