/** Is the caller's address shut out (R8)? Asked before who the caller is, and before anything is asked of the store. */

import type { SaleId } from '../../core/ids.ts'
import type { BlockList } from '../block-list.ts'
import type { EdgeResponse } from '../cloudfront.ts'
import { prebuiltProblem } from '../problem-response.ts'
import type { Memory, MemoryCheck, Visit } from '../visit.ts'

const blocked = prebuiltProblem('blocked', 'Requests from this address are not taken.')

export const checkBlockedAddress: MemoryCheck = (visit) => {
  const blocks = blocksFor(visit)
  return blocks instanceof Promise ? blocks.then((known) => judge(visit, known)) : judge(visit, blocks)
}

/** Whoever has an order must be able to see and pay it, also while the store is unavailable; for a sale the list must be new. */
function blocksFor({ memory, route }: Visit): BlockList | Promise<BlockList> {
  const { notices } = memory
  if (!('saleId' in route)) return notices.blocks()
  const board = notices.look()
  if (!(board instanceof Promise)) return board.blocks
  askAhead(memory, route.saleId)
  return board.then(({ blocks }) => blocks)
}

/** The store is asked anyway: what is needed of the sale next goes into the same request, unless it is likely made up. */
function askAhead({ flags, notices }: Memory, saleId: SaleId): void {
  if (flags.hasSeen(saleId) || notices.mayHold(saleId)) void flags.look(saleId)
}

function judge({ request }: Visit, blocks: BlockList): EdgeResponse | undefined {
  return blocks.hasAddress(request.clientIp) ? blocked : undefined
}
