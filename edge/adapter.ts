/**
 * The one place that knows Hono's Lambda@Edge adapter, which is to move to a package of its own.
 *
 * Hono gets the method and the path and nothing else of the client's. The checks read the raw request in the
 * visit, because what they judge must be what is forwarded; and the adapter would join repeated headers,
 * decode the body a second time, and throw on header bytes that a fetch `Request` cannot hold.
 */
import { handle } from 'hono/lambda-edge'
import type { Hono } from 'hono/tiny'
import type { AppEnv } from './app-env.ts'
import type { EdgeConfig, EdgeRequest, EdgeResponse } from './cloudfront.ts'
import type { Visit } from './visit.ts'

export type EdgeAnswer = EdgeResponse | EdgeRequest

/** Runs `app` on the visit. Resolves to the generated response, or to the request when a check forwarded it. */
export function throughApp(app: Hono<AppEnv>): (visit: Visit, config: EdgeConfig) => Promise<EdgeAnswer> {
  const run = handle(app)
  return async (visit, config) => {
    const { method, uri, clientIp } = visit.request
    const bare: EdgeRequest = { method, uri, clientIp, headers: {}, querystring: '' }
    const answer = await run({ Records: [{ cf: { config, request: bare } }] }, visit)
    if ('uri' in answer) return visit.request
    const { status, headers = {}, body = '' } = answer
    return { status, headers, body, bodyEncoding: 'text' }
  }
}
