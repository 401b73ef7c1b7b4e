/** Has there been too much from this address (R3)? edge/addresses.ts has the rule. */
import { type AppCheck, refuseForNow, refuseForSeconds } from '../app-env.ts'
import { saleOf } from '../visit.ts'

export const checkPerAddress: AppCheck = async (c, next) => {
  const { visit } = c.env
  const sale = saleOf(visit)
  if (sale === undefined) return refuseForNow(c)
  const { saleId, facts } = sale
  const { perIp } = facts.rules.throttle
  const wait = visit.memory.addresses.waitSeconds(saleId, visit.request.clientIp, perIp, visit.now)
  return wait === 0 ? next() : refuseForSeconds(c, wait)
}
