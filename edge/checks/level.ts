/** Is this shopper's level what the sale asks for (R6)? The level comes with the verified token. */
import { ofSale, refuse } from '../app-env.ts'

export const checkLevel = ofSale(async (c, next, { facts }) => {
  const { minLevel } = facts.rules
  return c.var.shopper.level >= minLevel
    ? next()
    : refuse(c, 'level-too-low', `This sale is for members of level ${minLevel} and above.`)
})
