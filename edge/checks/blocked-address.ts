/** Is the caller's address shut out (R8)? Asked before who the caller is, and before anything is asked of the store. */
import type { EdgeResponse } from '../cloudfront.ts'
import type { Board } from '../notices.ts'
import { prebuiltProblem } from '../problem-response.ts'
import type { MemoryCheck, Visit } from '../visit.ts'

const blocked = prebuiltProblem('blocked', 'Requests from this address are not taken.')

export const checkBlockedAddress: MemoryCheck = (visit) => {
  const board = visit.memory.notices.look()
  return board instanceof Promise ? board.then((known) => judge(visit, known)) : judge(visit, board)
}

function judge({ request }: Visit, { blocks }: Board): EdgeResponse | undefined {
  return blocks.hasAddress(request.clientIp) ? blocked : undefined
}
