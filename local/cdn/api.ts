/**
 * The `/api/*` behaviours: never cached, every request through pre-gate and edge function, then to
 * a function URL.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpFunction } from '../../system/functions.ts'
import { type OriginAnswer, OriginFailed } from '../origin.ts'
import { functionOriginOf } from './behaviours.ts'
import { hasBody, readBody, sendAnswer } from './body.ts'
import { type PreGate, type PreGateAnswer, writePreGateAnswer } from './cloudfront-functions.ts'
import { type EdgeCall, edgeBodyLimitBytes, edgeCall, writeEdgeAnswer } from './edge-exchange.ts'
import { type EdgeResult, isResponse, type LoadedEdgeFunction } from './edge-function.ts'
import { type Forward, framing } from './forward.ts'
import { headerKind, illegalHeader } from './headers.ts'
import { corsHeadersFor } from './security-headers.ts'
import { writeError } from './site.ts'

export type ApiOptions = {
  preGate: PreGate
  edge: LoadedEdgeFunction
  /** The origin custom headers, which carry the edge function's settings. */
  customHeaders: Record<string, string>
  forward: Forward
  /**
   * Called with one line about a defect of this project; the viewer gets a 502 as from CloudFront.
   */
  log: (line: string) => void
}

const noBytes = Buffer.alloc(0)

/** Answers one request under `/api/`. */
export function apiBehaviour(options: ApiOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    try {
      // The pre-gate sees no body, so it runs before the body is read.
      const answer = options.preGate(request)
      if (answer instanceof Promise) {
        answer.then((settled) => afterPreGate(request, response, settled)).catch((failure) => fail(response, failure))
      } else afterPreGate(request, response, answer)
    } catch (failure) {
      fail(response, failure)
    }
  }

  function afterPreGate(request: IncomingMessage, response: ServerResponse, answer?: PreGateAnswer): void {
    if (answer !== undefined) {
      writePreGateAnswer(response, answer)
      return
    }
    if (!hasBody(request)) {
      run(request, response, noBytes)
      return
    }
    readBody(request, edgeBodyLimitBytes).then(
      (body) => run(request, response, body),
      // The viewer disconnected while sending its request: there is no answer to send.
      () => response.destroy(),
    )
  }

  function run(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const name = functionOriginOf(request.url ?? '/')
    const cors = corsHeadersFor(request)
    const call = edgeCall(request, body, {
      domainName: `${name}.lambda-url.local`,
      customHeaders: options.customHeaders,
    })
    try {
      const result = options.edge(call.event)
      if (result instanceof Promise) {
        result
          .then((settled) => finish(response, settled, { call, name, body, cors }))
          .catch((failure) => fail(response, failure))
      } else finish(response, result, { call, name, body, cors })
    } catch (failure) {
      fail(response, failure)
    }
  }

  function finish(
    response: ServerResponse,
    result: EdgeResult,
    { call, name, body, cors }: { call: EdgeCall; name: HttpFunction; body: Buffer; cors: readonly string[] },
  ): void {
    if (isResponse(result)) {
      writeEdgeAnswer(response, result, cors)
      return
    }
    const illegal = illegalHeader(result.headers, call.readOnly)
    if (illegal !== undefined) throw new Error(`the edge function may not touch the header ${illegal}`)
    options.forward(result, name, body).then(
      (answer) => writeOriginAnswer(response, answer, cors),
      (failure) => fail(response, failure),
    )
  }

  function fail(response: ServerResponse, failure: unknown): void {
    options.log(failure instanceof Error ? failure.message : String(failure))
    if (response.headersSent) response.destroy()
    else writeError(response, failure instanceof OriginFailed ? failure.status : 502, 'Not available right now.')
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
  pairs.push('content-length', String(body.length), 'x-cache', xCache, 'x-content-type-options', 'nosniff', ...cors)
  sendAnswer(response, status, pairs, body)
}
