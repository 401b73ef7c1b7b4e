/** A function-URL event (payload version 2.0) reduced to what a use case needs. */
import type { HttpAnswer } from './answer.ts'
import { createApp, type HttpApp, responseOf } from './app.ts'

/**
 * Header names are lower case. `body` is empty text when the request has none. The gate passes cookies
 * on to the sign-in alone, each as `name=value`.
 */
export type HttpRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string | undefined>>
  cookies?: readonly string[]
  body: string
}

/** An app that answers with `respond`. */
export function bridge(respond: (request: HttpRequest) => Promise<HttpAnswer>): HttpApp {
  return createApp({}, [], async ({ req }) => {
    const { pathname, searchParams } = new URL(req.url)
    const cookie = req.header('cookie')
    const request = {
      ...{ method: req.method, path: pathname, query: searchParams, headers: req.header() },
      ...(cookie !== undefined && { cookies: cookie.split('; ') }),
      body: Buffer.from(await req.arrayBuffer()).toString('utf8'),
    }
    return responseOf(await respond(request))
  })
}
