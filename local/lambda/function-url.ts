/**
 * A function URL with auth type AWS_IAM: an HTTP server in front of one handler, with the limits of Lambda (signed
 * requests only, 6 MB, concurrency, timeouts).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as z from 'zod/mini'
import { readBody } from '../cdn/body.ts'
import { type Listening, listen } from '../listen.ts'
import { invoke, type LoadedFunction } from './invoke.ts'
import { bodyHashHeader, emptyBodyHash, isSignedByUs, signatureHeader } from './signature.ts'

export type FunctionUrlOptions = {
  /** The secret shared with the front: other requests get a 403. */
  signingSecret: string
  /** The function's reserved concurrency: the next call beyond it gets 429. */
  concurrency: number
  /** 0, the default, takes a free port. */
  port?: number
}

/**
 * Starts the function's URL on a loopback port. Failures of the handler are reported to
 * `report`.
 */
export async function startFunctionUrl(
  fn: LoadedFunction,
  options: FunctionUrlOptions,
  report: (failure: unknown) => void,
): Promise<Listening> {
  let running = 0
  let requests = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, payloadLimitBytes)
    if (body.length > payloadLimitBytes) return reply(response, 413, 'Request Entity Too Large')
    if (!isSigned(request, body, options.signingSecret)) return reply(response, 403, 'Forbidden')
    if (running >= options.concurrency) return reply(response, 429, 'Rate Exceeded.')
    running += 1
    requests += 1
    try {
      const event = urlEvent(request, body, `${fn.name}.lambda-url.local`, `${fn.name}-${requests}`)
      const result = urlResponse(await invoke(fn, event))
      if (result === undefined) throw new Error(`${fn.name} returned an invalid HTTP response`)
      response.writeHead(result.status, [...result.headers, 'content-length', String(result.bytes)])
      response.end(result.body)
    } catch (failure) {
      report(failure)
      reply(response, 502, 'Internal Server Error')
    } finally {
      running -= 1
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => {
      report(failure)
      response.destroy()
    })
  })
  // Only the front closes idle connections.
  server.keepAliveTimeout = 0
  return listen(server, options.port ?? 0)
}

function reply(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': 'local' })
  response.end(JSON.stringify({ Message: message }))
}

function isSigned(request: IncomingMessage, body: Buffer, secret: string): boolean {
  const method = request.method ?? ''
  // SigV4 allows a missing hash only without a body.
  const unsignedBody = method === 'GET' || method === 'HEAD' ? emptyBodyHash : ''
  return isSignedByUs(secret, {
    method,
    path: request.url ?? '',
    bodyHash: String(request.headers[bodyHashHeader] ?? unsignedBody),
    signature: String(request.headers[signatureHeader] ?? ''),
    body,
  })
}

const textTypes = /^(?:text\/|application\/(?:json|javascript|xml|[a-z.+-]*\+json))/

/**
 * Converts an HTTP request into the event of a function URL (payload format 2.0). `domain` is the function URL's host
 * name; the body is text for text types and base64 for the rest.
 */
function urlEvent(request: IncomingMessage, body: Buffer, domain: string, requestId: string): APIGatewayProxyEventV2 {
  const method = request.method ?? 'GET'
  const url = request.url ?? '/'
  const question = url.indexOf('?')
  const rawPath = question < 0 ? url : url.slice(0, question)
  const rawQueryString = question < 0 ? '' : url.slice(question + 1)
  const headers: Record<string, string> = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || name === 'cookie' ? [] : [[name, value.toString()]],
    ),
  )
  const cookies = request.headers.cookie?.split('; ')
  const isText = textTypes.test(headers['content-type'] ?? '')
  const now = Date.now()
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers,
    ...(cookies && { cookies }),
    ...(rawQueryString !== '' && { queryStringParameters: queryOf(rawQueryString) }),
    requestContext: {
      accountId: 'anonymous',
      apiId: domain,
      domainName: domain,
      domainPrefix: domain,
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: new Date(now).toISOString(),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  }
}

function queryOf(rawQueryString: string): Record<string, string> {
  const query = new URLSearchParams(rawQueryString)
  return Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name).join()]))
}

/**
 * The HTTP answer of a function URL (payload format 2.0). A text stays a text, because Node sends it in one write with
 * the headers. `bytes` is the length of the body.
 */
type UrlResponse = { status: number; headers: string[]; body: string | Buffer; bytes: number }

const structured = z.object({
  statusCode: z.number(),
  headers: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  cookies: z.optional(z.array(z.string())),
  body: z.optional(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
})

/** Lambda's limit on a request or an answer, in bytes. */
const payloadLimitBytes = 6 * 1024 * 1024

/**
 * Converts a handler's result; each cookie becomes a Set-Cookie header. Undefined, where Lambda answers 502, for a
 * malformed result and for more than 6 MB; also for a value without a statusCode, which our handlers never return.
 */
function urlResponse(result: unknown): UrlResponse | undefined {
  const parsed = structured.safeParse(result)
  if (!parsed.success) return undefined
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = parsed.data
  const pairs: string[] = []
  let hasType = false
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'content-type') hasType = true
    pairs.push(name, String(value))
  }
  if (!hasType) pairs.push('content-type', 'application/json')
  for (const cookie of cookies) pairs.push('set-cookie', cookie)
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body
  const bytes = Buffer.byteLength(content)
  return bytes > payloadLimitBytes ? undefined : { status: statusCode, headers: pairs, body: content, bytes }
}
