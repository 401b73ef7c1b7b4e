/** Has there been too much from this address (R3)? edge/addresses.ts has the rule. */
import { ofSale, refuseForSeconds } from '../app-env.ts'

export const checkPerAddress = ofSale(async (c, next, { saleId, facts }) => {
  const { memory, request, now } = c.env.visit
  const wait = memory.addresses.waitSeconds(saleId, request.clientIp, facts.rules.throttle.perIp, now)
  return wait === 0 ? next() : refuseForSeconds(c, wait)
})
