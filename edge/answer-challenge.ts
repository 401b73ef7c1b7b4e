/** The end of the funnel for challenges: hands this shopper one for this sale (R5). */
import { ofSale, refuse } from './app-env.ts'

export const answerChallenge = ofSale(async (c, _next, { saleId, facts }) => {
  if (facts.rules.challenge === 'off') return refuse(c, 'conflict', 'This sale asks for no challenge.')
  const { memory, requestId } = c.env.visit
  const challenge = await memory.challenges.issue(saleId, c.var.shopper.shopperId)
  return c.json(challenge, 200, { 'cache-control': 'no-store', 'x-request-id': requestId })
})
