/**
 * Is there such a sale, as far as this instance knows (B2)? The filter of sale ids refuses made-up ones and asks nobody (B4),
 * but for a look at the newest filter, four times a second at most. For the others the answer comes from memory, and only
 * when memory is older than a second does the request wait for the store. A store that cannot answer closes the sale for now
 * (I6), it never opens it. Only the filter says that there is no such sale: a store that has lost one, or has no filter, gives
 * no reason to say so, and whoever waits for its repair gets 503 (B3).
 */
import type { SaleId } from '../../core/ids.ts'
import { deniedWithinMs } from '../../core/sale-filter.ts'
import type { EdgeResponse } from '../cloudfront.ts'
import type { Known } from '../flags.ts'
import type { Board } from '../notices.ts'
import { prebuiltProblem, unavailable } from '../problem-response.ts'
import type { MemoryCheck, Visit } from '../visit.ts'

const unknownSale = prebuiltProblem('unknown-sale', 'No sale goes by that name.')

export const checkKnownSale: MemoryCheck = (visit) => {
  const { route, memory } = visit
  if (!('saleId' in route)) return undefined
  const { saleId } = route
  const { notices } = memory
  const denies = ({ saleFilter }: Board) => saleFilter?.mayHold(saleId) === false
  const judgeBy = (board: Board) => (denies(board) ? unknownSale : find(visit, saleId))
  const board = notices.look()
  if (board instanceof Promise) return board.then(judgeBy)
  if (!denies(board)) return find(visit, saleId)
  // It may be the newest sale there is, and be known by now.
  const latest = notices.look(deniedWithinMs)
  return latest instanceof Promise ? latest.then(judgeBy) : judgeBy(latest)
}

function find(visit: Visit, saleId: SaleId): ReturnType<MemoryCheck> {
  const known = visit.memory.flags.look(saleId)
  return known instanceof Promise ? known.then((answer) => judge(visit, answer)) : judge(visit, known)
}

function judge(visit: Visit, known: Known): EdgeResponse | undefined {
  if (known.kind !== 'sale') return unavailable()
  visit.facts = known.facts
  return undefined
}
