/**
 * Is there such a sale, as far as this instance knows? The answer comes from memory; only when memory is older
 * than a second does the request wait for the store. A store that cannot answer closes the sale for now (I6), it
 * never opens it.
 */
import type { EdgeResponse } from '../cloudfront.ts'
import type { Known } from '../flags.ts'
import { prebuiltProblem, unavailable } from '../problem-response.ts'
import type { MemoryCheck, Visit } from '../visit.ts'

const unknownSale = prebuiltProblem('unknown-sale', 'No sale goes by that name.')

export const checkKnownSale: MemoryCheck = (visit) => {
  if (visit.route.kind !== 'buy') return undefined
  const known = visit.memory.flags.look(visit.route.saleId)
  return known instanceof Promise ? known.then((answer) => judge(visit, answer)) : judge(visit, known)
}

function judge(visit: Visit, known: Known): EdgeResponse | undefined {
  if (known.kind === 'unknown-sale') return unknownSale
  if (known.kind === 'dark') return unavailable()
  visit.facts = known.facts
  return undefined
}
