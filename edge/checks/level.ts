/** Is this shopper's level what the sale asks for (R6)? The level comes with the verified token. */
import { type AppCheck, refuse, refuseForNow } from '../app-env.ts'
import { saleOf } from '../visit.ts'

export const checkLevel: AppCheck = async (c, next) => {
  const sale = saleOf(c.env.visit)
  if (sale === undefined) return refuseForNow(c)
  const { minLevel } = sale.facts.rules
  return c.var.shopper.level >= minLevel
    ? next()
    : refuse(c, 'level-too-low', `This sale is for members of level ${minLevel} and above.`)
}
