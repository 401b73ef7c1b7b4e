/**
 * Is there such a sale, as far as this instance knows (B2)? A sale that it has seen is answered from memory, and only when
 * memory is older than a second does the request wait for the store. A store that cannot answer closes the sale for now (I6),
 * it never opens it.
 *
 * Ids that it has not seen go through the filter of sale ids, which refuses made-up ones and asks nobody (B4), but for a look
 * at the newest filter, four times a second at most. Those that pass may ask the store until `lookupsPerSecond` of them were
 * made up; then the list of sales decides, which is exact and is read once for each of its versions. So no number of made-up
 * ids costs more reads than that, and no published sale waits behind them.
 *
 * Only filter and list say that there is no such sale: a store that has lost one, or has neither, gives no reason to say so,
 * and whoever waits for its repair gets 503 (B3).
 */
import type { SaleId } from '../../core/ids.ts'
import type { ThrottleRule } from '../../core/sale.ts'
import { deniedWithinMs } from '../../core/sale-filter.ts'
import type { EdgeResponse } from '../cloudfront.ts'
import type { Known } from '../flags.ts'
import type { Board } from '../notices.ts'
import { prebuiltProblem, unavailable } from '../problem-response.ts'
import type { MemoryCheck, Visit } from '../visit.ts'

const unknownSale = prebuiltProblem(
  'unknown-sale',
  'There is no such sale, or it was archived a week after its end.',
)

/** Reads in vain that one instance grants to ids which the filter does not deny. */
const lookupsPerSecond: ThrottleRule = { limit: 10, windowSeconds: 1 }

export const checkKnownSale: MemoryCheck = (visit) => {
  const { route, memory } = visit
  if (!('saleId' in route)) return undefined
  const { saleId } = route
  if (!memory.flags.hasSeen(saleId)) return judgeUnseen(visit, saleId)
  // One that is closed, or no longer there, may have been deleted: the filter knows.
  const judgeSeen = (known: Known) =>
    known.kind === 'sale' && known.facts.flag !== 'closed' ? admit(visit, known) : judgeUnseen(visit, saleId)
  const known = memory.flags.look(saleId)
  return known instanceof Promise ? known.then(judgeSeen) : judgeSeen(known)
}

function judgeUnseen(visit: Visit, saleId: SaleId): ReturnType<MemoryCheck> {
  const { notices } = visit.memory
  const denies = ({ saleFilter }: Board) => saleFilter?.mayHold(saleId) === false
  const judgeBy = (board: Board) => (denies(board) ? unknownSale : lookUp(visit, saleId))
  const board = notices.look()
  if (board instanceof Promise) return board.then(judgeBy)
  if (!denies(board)) return lookUp(visit, saleId)
  // It may be the newest sale there is, and be known by now.
  const latest = notices.look(deniedWithinMs)
  return latest instanceof Promise ? latest.then(judgeBy) : judgeBy(latest)
}

function lookUp(visit: Visit, saleId: SaleId): ReturnType<MemoryCheck> {
  const { memory, now } = visit
  if (memory.vainLookups.waitSeconds('', lookupsPerSecond, now) > 0) return lookUpListed(visit, saleId)
  const known = memory.flags.look(saleId)
  if (!(known instanceof Promise)) return judge(visit, known)
  // Counted before the answer is there, or many could ask at once; a sale that exists is not in vain.
  memory.vainLookups.add('', 1, lookupsPerSecond, now)
  return known.then((answer) => {
    if (answer.kind === 'sale') memory.vainLookups.add('', -1, lookupsPerSecond, now)
    return judge(visit, answer)
  })
}

async function lookUpListed(visit: Visit, saleId: SaleId): Promise<EdgeResponse | undefined> {
  const published = await visit.memory.notices.published()
  if (published === undefined) return unavailable()
  return published.has(saleId) ? judge(visit, await visit.memory.flags.look(saleId)) : unknownSale
}

function judge(visit: Visit, known: Known): EdgeResponse | undefined {
  return known.kind === 'sale' ? admit(visit, known) : unavailable()
}

function admit(visit: Visit, { facts }: Extract<Known, { kind: 'sale' }>): undefined {
  visit.facts = facts
}
