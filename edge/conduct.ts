/** Puts what a request to a sale has shown of its sender on the account of the address it came from (R3). */
import type { Conduct } from './addresses.ts'
import { saleOf, type Visit } from './visit.ts'

/** Notes nothing on paths that name no sale: the limit of an address is a rule of the sale. */
export function noteConduct(visit: Visit, conduct: Conduct): void {
  const sale = saleOf(visit)
  if (sale === undefined) return
  const { saleId, facts } = sale
  const { memory, request, now } = visit
  memory.addresses.note(saleId, request.clientIp, conduct, facts.rules.throttle.perIp, now)
}
