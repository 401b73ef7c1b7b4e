/** Has this shopper done the work that the sale asks for (R5)? Whether for this purchase only, first-use.ts finds out. */
import { ofSale, refuse } from '../app-env.ts'

export const checkChallenge = ofSale(async (c, next, { saleId, facts }) => {
  if (facts.rules.challenge === 'off') return next()
  const { challenge } = c.var.entry
  if (challenge === undefined) {
    return refuse(c, 'challenge-required', 'This sale asks every shopper to solve a challenge first.')
  }
  const { challenges } = c.env.visit.memory
  const solved = await challenges.verify(challenge, saleId, c.var.shopper.shopperId)
  if (solved === undefined) {
    return refuse(c, 'challenge-failed', 'Fetch a new challenge, solve it and try again.')
  }
  c.set('solved', solved)
  return next()
})
