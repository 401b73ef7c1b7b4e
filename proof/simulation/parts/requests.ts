/** Requests as the gate forwards them, and what functions answer. */
import * as z from 'zod/mini'
import { shapeOf } from '../../../core/api/control-routes.ts'
import type { FullOperation } from '../../../core/api/operation.ts'
import { operations } from '../../../core/api/operations.ts'
import type { ProblemCode } from '../../../core/outcome.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import type { HttpApp } from '../../../functions/lib/http/app.ts'
import { answerEvent, type FunctionUrlEvent } from '../../../functions/lib/http/function-url.ts'

/** A request as the gate forwards it. Header names are lower case; `body` is empty text when there is none. */
export type HttpRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string | undefined>>
  cookies?: readonly string[]
  body: string
}

/** A request of shopper `who`, with the headers that only the gate can set. */
export function requestOf(
  who: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): HttpRequest {
  const [pathname = '', query = ''] = path.split('?')
  return {
    method,
    path: pathname,
    query: new URLSearchParams(query),
    headers: {
      ...(who === undefined ? {} : { 'x-shopper-id': who }),
      'x-request-id': 'request-1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/**
 * What `app` answers. A problem must be one that the operation lists.
 * @throws what its ports throw
 */
export async function answerTo(app: HttpApp, request: HttpRequest): Promise<HttpAnswer> {
  const answer = await answerEvent(app, urlEventOf(request))
  if (answer.headers['content-type'] === 'application/problem+json') {
    const { code } = problemCode.parse(JSON.parse(answer.body))
    if (operationOf(request)?.problems.includes(code) === false)
      throw new Error(`${request.method} ${request.path} does not list the problem ${code}`)
  }
  return answer
}

const problemCode = z.object({ code: z.custom<ProblemCode>((code) => typeof code === 'string') })

const shapes = Object.values(operations).map((operation) => ({ operation, shape: shapeOf(operation.path) }))

function operationOf({ method, path }: HttpRequest): FullOperation | undefined {
  return shapes.find(({ operation, shape }) => operation.method === method && shape.test(path))?.operation
}

/** The event in which Lambda brings the request. Its body is in base64, as of every type that is no text. */
export function urlEventOf({ method, path, query, headers, body, cookies }: HttpRequest): FunctionUrlEvent {
  return {
    ...{ rawPath: path, rawQueryString: String(query), headers, requestContext: { http: { method } } },
    ...{ body: Buffer.from(body).toString('base64'), isBase64Encoded: true },
    ...(cookies && { cookies: [...cookies] }),
  }
}
