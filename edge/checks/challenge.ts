/** Has this shopper done the work that the sale asks for (R5)? Whether for this purchase only, first-use.ts finds out. */
import { type AppCheck, refuse, refuseForNow } from '../app-env.ts'
import { saleOf } from '../visit.ts'

export const checkChallenge: AppCheck = async (c, next) => {
  const sale = saleOf(c.env.visit)
  if (sale === undefined) return refuseForNow(c)
  if (sale.facts.rules.challenge === 'off') return next()
  const { challenge } = c.var.buy
  if (challenge === undefined) {
    return refuse(c, 'challenge-required', 'This sale asks every shopper to solve a challenge first.')
  }
  const { challenges } = c.env.visit.memory
  const solved = await challenges.verify(challenge, sale.saleId, c.var.shopper.shopperId)
  if (solved === undefined) {
    return refuse(c, 'challenge-failed', 'Fetch a new challenge, solve it and try again.')
  }
  c.set('solved', solved)
  return next()
}
