/** `GET /api/time`: the clock that pages set their countdown by. Nothing is looked up, nothing is cached. */
import type { EdgeResponse } from './cloudfront.ts'
import { edgeHeaders } from './problem-response.ts'

const headers = edgeHeaders({ 'content-type': 'application/json', 'cache-control': 'no-store' })

/** `{now}`, epoch ms. */
export function timeResponse(now: number): EdgeResponse {
  return { status: '200', headers, body: `{"now":${now}}`, bodyEncoding: 'text' }
}
