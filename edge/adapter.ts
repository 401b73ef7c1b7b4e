/**
 * Between CloudFront's events and Hono. Hono gets no part of the client's request: the checks read the raw one in
 * the visit, because what they judge must be what is forwarded, and a fetch `Request` would join repeated
 * headers, decode the path and the body a second time, and throw on header bytes that it cannot hold.
 */
import type { Hono } from 'hono/tiny'
import type { AppEnv } from './app-env.ts'
import type { EdgeRequest, EdgeResponse } from './cloudfront.ts'
import type { Visit } from './visit.ts'

export type EdgeAnswer = EdgeResponse | EdgeRequest

/** Stands for every request; the apps look at neither its method nor its path. */
const anyRequest = new Request('https://gate.invalid/')

/** What a check answers when the request is to go on to its origin. Hono wants a response even then. */
export const passedOn = new Response(null, { status: 204 })

/** Runs `app` on the visit. Resolves to the generated response, or to the request when a check forwarded it. */
export function throughApp(app: Hono<AppEnv>): (visit: Visit) => Promise<EdgeAnswer> {
  return async (visit) => {
    const response = await app.fetch(anyRequest, { visit })
    return response === passedOn ? visit.request : toCloudFront(response)
  }
}

async function toCloudFront(response: Response): Promise<EdgeResponse> {
  const headers = Object.fromEntries([...response.headers].map(([key, value]) => [key, [{ key, value }]]))
  return { status: String(response.status), headers, body: await response.text(), bodyEncoding: 'text' }
}
