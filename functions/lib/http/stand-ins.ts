/**
 * Stand-ins for the standard `Request` and `Response`, which Hono passes between our apps. The first standard object of a
 * process costs 58 to 95 ms of a cold start, because Node then loads its `fetch` client. Each type lists the members that
 * exist. `test/contract/stand-ins.test.ts` compares them with the standard objects.
 */
import type { LambdaFunctionURLEvent } from 'aws-lambda'
import type { HttpAnswer } from './answer.ts'

/** An event of a function URL (payload version 2.0). */
export type FunctionUrlEvent = Pick<
  LambdaFunctionURLEvent,
  'rawPath' | 'rawQueryString' | 'headers' | 'cookies' | 'body' | 'isBase64Encoded'
> & { requestContext: { http: { method: string } } }

/** The members of a standard request that Hono reads for our apps. */
export type RequestStandIn = Pick<Request, 'url' | 'method' | 'arrayBuffer'> & {
  headers: { get(name: string): string | null; forEach(each: (value: string, name: string) => void): void }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Returns the request of an event. Hono's own adapter answers some events with a plain 400, such as one with a malformed
 * header, and the next major version removes it. A method that no operation has becomes `OTHER`, because Hono treats HEAD
 * as GET. A standard `Request` would cost an order another 25 µs: its stream, its checks and its headers.
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
 * Replaces a value that `Headers` would refuse or change. It is no valid id, key or type, so the call is rejected. If the
 * header were left out, the call could pass as one that never sent it.
 */
const unreadableHeader = '?'

function fitsHeader(value: string): boolean {
  return /^(?! )[\x20-\x7e\x80-\xff]*(?<! )$/.test(value)
}

/** The member of a standard response that middleware reads. */
type ResponseStandIn = Pick<Response, 'status'>

class AnswerResponse implements ResponseStandIn {
  readonly answer: HttpAnswer
  readonly status: number

  constructor(answer: HttpAnswer) {
    this.answer = answer
    this.status = answer.statusCode
  }
}

/** Wraps an answer for Hono. It has only the status of a standard response. */
export function responseOf(answer: HttpAnswer): Response {
  const standIn: ResponseStandIn = new AnswerResponse(answer)
  // Hono's types name the whole of a response.
  return standIn as Response
}

/** Returns the answer in a response that `responseOf` made. */
export function answerIn(response: unknown): HttpAnswer {
  if (!(response instanceof AnswerResponse)) throw new TypeError('a response was not made by responseOf')
  return response.answer
}
