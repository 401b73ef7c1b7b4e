/**
 * Stand-ins for the standard `Request` and `Response`, which Hono passes between our apps. The first standard one of a
 * process costs 58 to 95 ms of a cold start, because Node then loads its client of `fetch`. Each type lists the members
 * that are there. `test/contract/stand-ins.test.ts` compares them with the standard objects.
 */
import type { LambdaFunctionURLEvent } from 'aws-lambda'
import type { HttpAnswer } from './answer.ts'

/** An event of a function URL (payload version 2.0). */
export type FunctionUrlEvent = Pick<
  LambdaFunctionURLEvent,
  'rawPath' | 'rawQueryString' | 'headers' | 'cookies' | 'body' | 'isBase64Encoded'
> & { requestContext: { http: { method: string } } }

/** A standard request reduced to the members that Hono reads for our apps. */
export type RequestStandIn = Pick<Request, 'url' | 'method' | 'arrayBuffer'> & {
  headers: { get(name: string): string | null; forEach(each: (value: string, name: string) => void): void }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * The request in an event. Hono's adapter, which its next major version removes, answers some of them with a plain
 * 400, such as one with a malformed header. A method of no operation gets a name of its own, because Hono takes HEAD
 * for GET. A standard `Request` would also cost an order 25 µs more: its stream, its checks and its headers.
 */
export function requestIn({ rawPath, rawQueryString, headers, cookies, ...rest }: FunctionUrlEvent): RequestStandIn {
  const { body = '', isBase64Encoded, requestContext } = rest
  const { method } = requestContext.http
  const sent = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent.set(name, fitsHeader(value) ? value : unreadableHeader)
  }
  if (cookies !== undefined) sent.set('cookie', cookies.filter(fitsHeader).join('; '))
  return {
    url: `https://function${rawPath}?${rawQueryString}`,
    method: methods.includes(method) ? method : 'OTHER',
    headers: {
      get: (name) => sent.get(name.toLowerCase()) ?? null,
      forEach: (each) => sent.forEach(each),
    },
    arrayBuffer: async () => new Uint8Array(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')).buffer,
  }
}

/**
 * Stands for a value that a `Headers` refuses or changes. No id, key or type of ours reads so: the call is refused for
 * it, where a header that was left out might be taken for one that was not sent.
 */
const unreadableHeader = '?'

function fitsHeader(value: string): boolean {
  return /^(?! )[\x20-\x7e\x80-\xff]*(?<! )$/.test(value)
}

/** A standard response reduced to the member that middleware reads. */
type ResponseStandIn = Pick<Response, 'status'>

class AnswerResponse implements ResponseStandIn {
  readonly answer: HttpAnswer
  readonly status: number

  constructor(answer: HttpAnswer) {
    this.answer = answer
    this.status = answer.statusCode
  }
}

/** An answer as Hono passes it on: of a response it has the status alone. */
export function responseOf(answer: HttpAnswer): Response {
  const standIn: ResponseStandIn = new AnswerResponse(answer)
  // Hono's types name the whole of a response.
  return standIn as Response
}

/** The answer in a response of an app, which `responseOf` has made. */
export function answerIn(response: unknown): HttpAnswer {
  if (!(response instanceof AnswerResponse)) throw new TypeError('a response was not made by responseOf')
  return response.answer
}
