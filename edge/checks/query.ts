/** Everything but buys, which have none: a query of plain names and values, short enough to be one of ours. */
import { prebuiltProblem } from '../problem-response.ts'
import type { MemoryCheck } from '../visit.ts'

const plainQuery = /^[A-Za-z0-9_.=&%+:-]{0,512}$/

const badQuery = prebuiltProblem('invalid-request', 'query must be plain names and values', {
  field: 'query',
})

export const checkQuery: MemoryCheck = ({ request }) =>
  plainQuery.test(request.querystring) ? undefined : badQuery
