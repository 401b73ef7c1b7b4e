/** Is this shopper shut out (R8)? */
import { type AppCheck, refuse } from '../app-env.ts'

export const checkBlockedShopper: AppCheck = async (c, next) => {
  const blocks = await c.env.visit.memory.notices.blocks()
  return blocks.hasShopper(c.var.shopper.shopperId)
    ? refuse(c, 'blocked', 'Requests of this shopper are not taken.')
    : next()
}
