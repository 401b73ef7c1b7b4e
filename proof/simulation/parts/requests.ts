/**
 * Sends requests as the gate forwards them. A client gets the answer of a function, or none; then it is unknown what
 * was done.
 */
import { problem } from '../../../core/outcome.ts'
import { type HttpAnswer, problemAnswer } from '../../../functions/lib/http/answer.ts'
import type { HttpApp } from '../../../functions/lib/http/app.ts'
import { answerEvent } from '../../../functions/lib/http/function-url.ts'
import type { FunctionUrlEvent } from '../../../functions/lib/http/stand-ins.ts'
import { checkExchange } from '../../described-api.ts'
import type { Environments, Simulation } from '../engine/simulation.ts'

/** A request as the gate forwards it. Header names are lower case; `body` is empty when there is none. */
export type HttpRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string | undefined>>
  cookies?: readonly string[]
  body: string | Buffer
}

/** Returns a request of shopper `who` with the headers that only the gate can set. */
export function forwardedRequest(
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
    body: body === undefined ? '' : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  }
}

/**
 * Resolves with the answer of `app`, which must match the description of the API.
 * @throws what its ports throw
 */
export async function answerTo(app: HttpApp, request: HttpRequest): Promise<HttpAnswer> {
  const answer = await answerEvent(app, urlEventOf(request))
  checkExchange({
    ...{ method: request.method, path: request.path, sent: request.body.toString() },
    ...{ status: answer.statusCode, mediaType: answer.headers['content-type'], answered: answer.body },
  })
  return answer
}

/** Returns the Lambda event of the request. Its body is in base64. */
export function urlEventOf({ method, path, query, headers, body, cookies }: HttpRequest): FunctionUrlEvent {
  return {
    ...{ rawPath: path, rawQueryString: String(query), headers, requestContext: { http: { method } } },
    ...{ body: Buffer.from(body).toString('base64'), isBase64Encoded: true },
    ...(cookies && { cookies: [...cookies] }),
  }
}

/**
 * Sends one request to a function; undefined when the answer was lost. `onAnswer` receives every answer of the
 * function, including lost ones. An error of the ports becomes a 503, as in the real handler. Every answer must match
 * the description of the API.
 */
export async function sendRequest<Ports>(
  simulation: Simulation,
  fleet: Environments<Ports>,
  app: (ports: Ports) => HttpApp,
  request: HttpRequest,
  onAnswer: (answer: HttpAnswer) => void = () => undefined,
): Promise<HttpAnswer | undefined> {
  const invoked = await fleet.run((ports) => answerTo(app(ports), request))
  if (invoked.kind === 'died') return undefined
  const answer = invoked.kind === 'answered' ? invoked.value : problemAnswer(problem('unavailable', 'Try again.'))
  onAnswer(answer)
  return simulation.perform<HttpAnswer | undefined>({
    part: 'wire',
    name: 'answer',
    run: async () => answer,
    onNoAnswer: () => undefined,
    atMostOnce: true,
  })
}

/** True for an answer that is neither missing nor a 5xx, and has no Retry-After. */
export function isFinal(answer: HttpAnswer | undefined): answer is HttpAnswer {
  return answer !== undefined && answer.statusCode < 500 && answer.headers['retry-after'] === undefined
}

/** Returns a member of the answer's JSON body; undefined when absent. */
export function member(answer: HttpAnswer, name: string): unknown {
  const body: unknown = JSON.parse(answer.body)
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
}
