/** The end of the funnel for challenges: hands this shopper one for this sale (R5). */
import { type AppCheck, refuse, refuseForNow } from './app-env.ts'
import { saleOf } from './visit.ts'

export const answerChallenge: AppCheck = async (c) => {
  const sale = saleOf(c.env.visit)
  if (sale === undefined) return refuseForNow(c)
  if (sale.facts.rules.challenge === 'off') return refuse(c, 'conflict', 'This sale asks for no challenge.')
  const { memory, requestId } = c.env.visit
  const challenge = await memory.challenges.issue(sale.saleId, c.var.shopper.shopperId)
  return c.json(challenge, 200, { 'cache-control': 'no-store', 'x-request-id': requestId })
}
