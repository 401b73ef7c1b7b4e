/** A body must say that it is JSON, once. HTML forms cannot say so, which keeps other sites' forms out. */
import { headerOf } from '../cloudfront.ts'
import { prebuiltProblem } from '../problem-response.ts'
import type { MemoryCheck } from '../visit.ts'

const json = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i

const notJson = prebuiltProblem(
  'unsupported-media-type',
  'Send the body as JSON with content-type: application/json.',
)

export const checkContentType: MemoryCheck = ({ request: { body, headers } }) => {
  if (body === undefined || body.data === '') return undefined
  const type = headerOf(headers, 'content-type')
  return type.kind === 'one' && (type.value === 'application/json' || json.test(type.value))
    ? undefined
    : notJson
}
