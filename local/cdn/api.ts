/** The `/api/*` behaviours: never cached, every request through the edge function, then to a function URL. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CloudFrontHeaders, CloudFrontRequest } from 'aws-lambda'
import type { Dispatcher } from 'undici'
import { bodyHashHeader, emptyBodyHash, signatureHeader, signOriginRequest } from '../lambda/signature.ts'
import type { HttpFunction } from '../resources.ts'
import { functionOriginOf } from './behaviours.ts'
import { hasBody, readBody } from './body.ts'
import { writeEdgeAnswer } from './edge-answer.ts'
import { type EdgeCall, edgeBodyLimitBytes, edgeCall } from './edge-event.ts'
import { type EdgeFunction, type EdgeResult, isResponse } from './edge-function.ts'
import { headerKind, illegalHeader } from './headers.ts'
import { type Origin, type OriginAnswer, OriginFailed, type OriginRequest } from './origin.ts'
import { writeError } from './site.ts'

export type ApiOptions = {
  edge: EdgeFunction
  /** The origin custom headers, which carry the edge function's settings. */
  customHeaders: Record<string, string>
  /** The connection to use now for a function; a fault may lead it elsewhere. */
  originOf: (name: HttpFunction) => Origin
  signingSecret: string
  /** One line about what we did wrong; the viewer gets a 502 as from CloudFront. */
  log: (line: string) => void
}

const noBytes = Buffer.alloc(0)

/** Answers one request under `/api/`. */
export function apiBehaviour(options: ApiOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (!hasBody(request)) {
      run(request, response, noBytes)
      return
    }
    readBody(request, edgeBodyLimitBytes).then(
      (body) => run(request, response, body),
      // The viewer hung up in the middle of its own request: nobody is left to answer.
      () => response.destroy(),
    )
  }

  function run(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const name = functionOriginOf(request.url ?? '/')
    const call = edgeCall(request, body, {
      domainName: `${name}.lambda-url.local`,
      customHeaders: options.customHeaders,
    })
    try {
      const result = options.edge(call.event)
      if (result instanceof Promise) {
        result
          .then((settled) => finish(response, settled, call, name, body))
          .catch((failure) => fail(response, failure))
      } else finish(response, result, call, name, body)
    } catch (failure) {
      fail(response, failure)
    }
  }

  function finish(
    response: ServerResponse,
    result: EdgeResult,
    call: EdgeCall,
    name: HttpFunction,
    body: Buffer,
  ): void {
    if (isResponse(result)) {
      writeEdgeAnswer(response, result)
      return
    }
    const illegal = illegalHeader(result.headers, call.readOnly)
    if (illegal !== undefined) throw new Error(`the edge function may not touch the header ${illegal}`)
    forward(result, name, bodyFor(result, body)).then(
      (answer) => writeOriginAnswer(response, answer),
      (failure) => fail(response, failure),
    )
  }

  function forward(request: CloudFrontRequest, name: HttpFunction, body: Buffer): Promise<OriginAnswer> {
    const path = request.querystring === '' ? request.uri : `${request.uri}?${request.querystring}`
    const hash = request.headers[bodyHashHeader]?.[0]?.value ?? (body.length === 0 ? emptyBodyHash : '')
    const signature = signOriginRequest(options.signingSecret, request.method, path, hash)
    const headers = originHeaders(request.headers)
    headers.push(signatureHeader, signature)
    const method = request.method as Dispatcher.HttpMethod
    return send(name, { method, path, headers, body: body.length === 0 ? null : body })
  }

  /** A read whose connection broke is tried again, three times in all; a write never is, as with CloudFront. */
  async function send(name: HttpFunction, request: OriginRequest, triesLeft = 3): Promise<OriginAnswer> {
    try {
      return await options.originOf(name).send(request)
    } catch (failure) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const isBroken = failure instanceof OriginFailed && failure.status === 502
      if (isRead && isBroken && triesLeft > 1) return send(name, request, triesLeft - 1)
      throw failure
    }
  }

  function fail(response: ServerResponse, failure: unknown): void {
    options.log(failure instanceof Error ? failure.message : String(failure))
    if (response.headersSent) response.destroy()
    else
      writeError(response, failure instanceof OriginFailed ? failure.status : 502, 'Not available right now.')
  }
}

function bodyFor(request: CloudFrontRequest, original: Buffer): Buffer {
  const body = request.body
  if (body === undefined || body.action === 'read-only') return original
  return Buffer.from(body.data, body.encoding === 'base64' ? 'base64' : 'utf8')
}

// The connection to the origin has its own framing and host.
const framing = new Set(['host', 'content-length', 'transfer-encoding'])

function originHeaders(headers: CloudFrontHeaders): string[] {
  const pairs: string[] = []
  for (const name in headers) {
    if (framing.has(name)) continue
    for (const { value } of headers[name] ?? []) pairs.push(name, value)
  }
  return pairs
}

function writeOriginAnswer(response: ServerResponse, { status, headers, body }: OriginAnswer): void {
  const pairs: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || name === 'date' || framing.has(name) || headerKind(name).kind === 'forbidden')
      continue
    if (Array.isArray(value)) for (const one of value) pairs.push(name, one)
    else pairs.push(name, value)
  }
  const xCache = status >= 400 ? 'Error from cloudfront' : 'Miss from cloudfront'
  pairs.push('content-length', String(body.length), 'x-cache', xCache, 'x-content-type-options', 'nosniff')
  response.writeHead(status, pairs)
  response.end(body)
}
