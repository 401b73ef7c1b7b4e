/**
 * The shell of every HTTP function: event in, answer out with the time, and a problem body for every fault of
 * ours. A fault answers 503, because the shopper can only retry.
 */
import type { LambdaFunctionURLEvent } from 'aws-lambda'
import { clockHeader } from '../../../core/gate/cors.ts'
import type { FunctionTelemetry } from '../telemetry.powertools.ts'
import { errorFacts } from '../telemetry.ts'
import { type HttpAnswer, unavailable } from './answer.ts'
import { answerIn, type HttpApp } from './app.ts'

/** An event of a function URL (payload version 2.0). */
export type FunctionUrlEvent = Pick<
  LambdaFunctionURLEvent,
  'rawPath' | 'rawQueryString' | 'headers' | 'cookies' | 'body' | 'isBase64Encoded'
> & { requestContext: { http: { method: string } } }

/** A Lambda handler that answers with `app` and logs what it throws. */
export function functionUrl(
  telemetry: FunctionTelemetry,
  app: HttpApp,
): (event: FunctionUrlEvent) => Promise<HttpAnswer> {
  return (event) =>
    telemetry.during(async () => {
      try {
        return withTime(await answerEvent(app, event))
      } catch (error) {
        telemetry.meter.count('Unavailable')
        telemetry.log.error('request failed', {
          method: event.requestContext.http.method,
          path: event.rawPath,
          requestId: event.headers['x-request-id'],
          ...errorFacts(error),
        })
        return unavailable(Math.random)
      }
    })
}

/**
 * What `app` answers to the event.
 * @throws what its ports throw
 */
export async function answerEvent(app: HttpApp, event: FunctionUrlEvent): Promise<HttpAnswer> {
  return answerIn(await app.fetch(requestIn(event)))
}

/** A problem has no time: two of them for different reasons must not differ. */
function withTime(answer: HttpAnswer): HttpAnswer {
  if (answer.statusCode >= 400) return answer
  return { ...answer, headers: { ...answer.headers, [clockHeader]: String(Date.now()) } }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * The request in an event. Hono's adapter, which its next major version removes, answers some of them with a plain
 * 400, such as one with a malformed header. A method of no operation gets a name of its own, because Hono takes HEAD
 * for GET.
 */
function requestIn({ rawPath, rawQueryString, headers, cookies, ...rest }: FunctionUrlEvent): Request {
  const { body = '', isBase64Encoded, requestContext } = rest
  const { method } = requestContext.http
  const sent = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent.set(name, fitsHeader(value) ? value : unreadable)
  }
  if (cookies !== undefined) sent.set('cookie', cookies.filter(fitsHeader).join('; '))
  const parts: ReadParts = {
    url: `https://function${rawPath}?${rawQueryString}`,
    method: methods.includes(method) ? method : 'OTHER',
    headers: sent,
    arrayBuffer: async () => Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }
  // With a standard `Request` an order would cost 25 µs more: its stream, its checks and its headers.
  return parts as unknown as Request
}

/** The parts of a request that Hono reads for our apps. */
type ReadParts = Pick<Request, 'url' | 'method'> & {
  headers: Pick<ReadonlyMap<string, string>, 'get' | 'forEach'>
  arrayBuffer(): Promise<Uint8Array>
}

/**
 * Stands for a value that a `Headers` refuses or changes. No id, key or type of ours reads so: the call is refused for
 * it, where a header that was left out might be taken for one that was not sent.
 */
const unreadable = '?'

function fitsHeader(value: string): boolean {
  return /^(?! )[\x20-\x7e\x80-\xff]*(?<! )$/.test(value)
}
