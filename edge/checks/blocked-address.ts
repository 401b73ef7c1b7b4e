/** Is the caller's address shut out (R8)? Asked before who the caller is, and before anything is asked of the store. */

import type { BlockList } from '../block-list.ts'
import type { EdgeResponse } from '../cloudfront.ts'
import { prebuiltProblem } from '../problem-response.ts'
import type { MemoryCheck, Visit } from '../visit.ts'

const blocked = prebuiltProblem('blocked', 'Requests from this address are not taken.')

export const checkBlockedAddress: MemoryCheck = (visit) => {
  const blocks = blocksFor(visit)
  return blocks instanceof Promise ? blocks.then((known) => judge(visit, known)) : judge(visit, blocks)
}

/** Whoever has an order must be able to see and pay it, also while the store is dark; for a sale the list must be new. */
function blocksFor({ memory: { notices }, route }: Visit): BlockList | Promise<BlockList> {
  if (!('saleId' in route)) return notices.blocks()
  const board = notices.look()
  return board instanceof Promise ? board.then(({ blocks }) => blocks) : board.blocks
}

function judge({ request }: Visit, blocks: BlockList): EdgeResponse | undefined {
  return blocks.hasAddress(request.clientIp) ? blocked : undefined
}
