/** The `/api/*` behaviours: never cached; every request goes through pre-gate and edge function, then to a function URL. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type OriginAnswer, OriginFailed } from '../origin.ts'
import { functionOriginOf } from './behaviours.ts'
import { hasBody, readBody, sendAnswer } from './body.ts'
import { type PreGate, writeFunctionAnswer } from './cloudfront-functions.ts'
import { edgeBodyLimitBytes, edgeCall, isResponse, type LoadedEdgeFunction, writeEdgeAnswer } from './edge-exchange.ts'
import { type Forward, framing } from './forward.ts'
import { corsHeadersFor, headerKind, illegalHeader } from './headers.ts'
import { writeError } from './site.ts'

export type ApiOptions = {
  preGate: PreGate
  edge: LoadedEdgeFunction
  /** The origin custom headers, which carry the edge function's settings. */
  customHeaders: Record<string, string>
  forward: Forward
  /** Called with a line about each failure; the viewer gets a 502 as from CloudFront. */
  log: (line: string) => void
}

const noBytes = Buffer.alloc(0)
const noSniff = ['x-content-type-options', 'nosniff']

/** Returns the handler of requests under `/api/`. */
export function apiBehaviour({ preGate, edge, customHeaders, forward, log }: ApiOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      // The pre-gate has no access to the body, so it runs before the body is read.
      const answer = await preGate(request)
      if (answer !== undefined) return writeFunctionAnswer(response, answer, noSniff)
      const body = hasBody(request) ? await readBody(request, edgeBodyLimitBytes).catch(() => undefined) : noBytes
      // The viewer disconnected while sending its request: there is no answer to send.
      if (body === undefined) return void response.destroy()
      await askGate(request, response, body)
    } catch (failure) {
      log(failure instanceof Error ? failure.message : String(failure))
      if (response.headersSent) response.destroy()
      else writeError(response, failure instanceof OriginFailed ? failure.status : 502, 'Not available right now.')
    }
  }

  async function askGate(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const name = functionOriginOf(request.url ?? '/')
    const cors = corsHeadersFor(request)
    const call = edgeCall(request, body, { domainName: `${name}.lambda-url.local`, customHeaders })
    const result = await edge(call.event)
    if (isResponse(result)) return writeEdgeAnswer(response, result, cors)
    const illegal = illegalHeader(result.headers, call.readOnly)
    if (illegal !== undefined) throw new Error(`the edge function may not touch the header ${illegal}`)
    writeOriginAnswer(response, await forward(result, name, body), cors)
  }
}

function writeOriginAnswer(
  response: ServerResponse,
  { status, headers, body }: OriginAnswer,
  cors: readonly string[],
): void {
  const pairs: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || name === 'date' || framing.has(name) || headerKind(name).kind === 'forbidden') continue
    if (Array.isArray(value)) for (const one of value) pairs.push(name, one)
    else pairs.push(name, value)
  }
  const xCache = status >= 400 ? 'Error from cloudfront' : 'Miss from cloudfront'
  pairs.push('content-length', String(body.length), 'x-cache', xCache, ...noSniff, ...cors)
  sendAnswer(response, status, pairs, body)
}
