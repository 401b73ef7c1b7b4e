/** A function-URL event (payload version 2.0) reduced to what a use case needs. */
import type { LambdaFunctionURLEvent } from 'aws-lambda'

export type FunctionUrlEvent = Pick<
  LambdaFunctionURLEvent,
  'rawPath' | 'rawQueryString' | 'headers' | 'cookies' | 'body' | 'isBase64Encoded'
> & { requestContext: { http: { method: string } } }

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

export function readRequest(event: FunctionUrlEvent): HttpRequest {
  const { rawPath, rawQueryString, headers, cookies = [], body = '', isBase64Encoded } = event
  return {
    method: event.requestContext.http.method,
    path: rawPath,
    query: new URLSearchParams(rawQueryString),
    headers,
    cookies,
    body: isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
  }
}

/** True for `application/json` with or without parameters. */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\s*(?:;|$)/i.test(contentType)
}
