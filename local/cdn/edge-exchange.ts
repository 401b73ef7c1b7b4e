/**
 * Runs the deployed bundle of Lambda@Edge as CloudFront does: builds the event of an origin-request function with
 * "include body", and checks its answer.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CloudFrontHeaders, CloudFrontRequest, CloudFrontRequestEvent, CloudFrontResultResponse } from 'aws-lambda'
import { loadHandler } from '../lambda/invoke.ts'
import { sendAnswer } from './body.ts'
import { headerKind, type ReadOnlyHeaders } from './headers.ts'

/** Maximum body for an origin-request function; the rest is truncated and flagged. */
export const edgeBodyLimitBytes = 1024 * 1024

/** The origin in the event. */
type OriginSettings = { domainName: string; customHeaders: Record<string, string> }

/** The headers of an event, by lower-case name. */
type EventHeaders = Record<string, { key: string; value: string }[]>

export type EdgeCall = { event: CloudFrontRequestEvent; readOnly: ReadOnlyHeaders }

const boot = randomBytes(18).toString('base64url')
let calls = 0

/**
 * Builds the event of a viewer request. `body` has all bytes of the viewer. Hop-by-hop headers and CloudFront's own are
 * removed, and `host` is the origin's, as with the policy "all viewer headers except Host".
 */
export function edgeCall(request: IncomingMessage, body: Buffer, origin: OriginSettings): EdgeCall {
  const { method = 'GET', url = '/' } = request
  const question = url.indexOf('?')
  const readOnly: string[] = []
  const headers = viewerHeaders(request.rawHeaders, readOnly)
  const clientIp = request.socket.remoteAddress ?? ''
  headers.host = [{ key: 'Host', value: origin.domainName }]
  headers['x-forwarded-for'] = [{ key: 'X-Forwarded-For', value: clientIp }]
  headers.via = [{ key: 'Via', value: via }]
  readOnly.push('via', via)
  const [uri, querystring] = question < 0 ? [url, ''] : [url.slice(0, question), url.slice(question + 1)]
  return { event: originEvent({ clientIp, headers, method, querystring, uri }, body, origin), readOnly }
}

/** Builds the event of a request whose headers an origin-request function may see. */
export function originEvent(
  request: Pick<CloudFrontRequest, 'clientIp' | 'method' | 'querystring' | 'uri'> & { headers: EventHeaders },
  body: Buffer,
  { domainName, customHeaders }: OriginSettings,
) {
  calls += 1
  const requestId = `${boot}-${calls.toString(36)}`
  const inputTruncated = body.length > edgeBodyLimitBytes
  const seen = inputTruncated ? body.subarray(0, edgeBodyLimitBytes) : body
  const edgeRequest = {
    ...request,
    body: { action: 'read-only', data: seen.toString('base64'), encoding: 'base64', inputTruncated },
    origin: {
      custom: {
        // A copy per request: the function may change it, and must not change the next one's.
        customHeaders: headersOf(customHeaders),
        domainName,
        keepaliveTimeout: 5,
        path: '',
        port: 443,
        protocol: 'https',
        readTimeout: 30,
        sslProtocols: ['TLSv1.2'],
      },
    },
  } satisfies CloudFrontRequest
  const config = { distributionDomainName: 'localhost', distributionId: 'LOCAL', requestId }
  const cf = { config: { ...config, eventType: 'origin-request' as const }, request: edgeRequest }
  return { Records: [{ cf }] }
}

/** CloudFront's name in the Via header. */
const via = '1.1 local.cloudfront.net (CloudFront)'

function viewerHeaders(raw: readonly string[], readOnly: string[]): EventHeaders {
  // No prototype, so that a header called "constructor" is like any other.
  const headers: EventHeaders = Object.create(null)
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const key = raw[i] ?? ''
    const value = raw[i + 1] ?? ''
    const { name, kind } = headerKind(key)
    if (kind === 'forbidden' || name === 'via') continue
    if (kind === 'read-only') readOnly.push(name, value)
    const entries = headers[name]
    if (entries === undefined) headers[name] = [{ key, value }]
    else entries.push({ key, value })
  }
  return headers
}

/** Converts headers to the format of CloudFront's events. */
export function headersOf(settings: Record<string, string>): EventHeaders {
  const headers: EventHeaders = {}
  for (const key in settings) headers[key] = [{ key, value: settings[key] ?? '' }]
  return headers
}

/** Maximum size of an answer from an origin-side function. */
const limitBytes = 1024 * 1024

/** `body` in latin1, as it is sent. */
type Prepared = { status: number; headers: string[]; body: string }

// Frozen answers are shared by all viewers: they are serialised once.
const prepared = new WeakMap<CloudFrontResultResponse, Prepared>()

/**
 * Sends the answer and the `cors` headers of the distribution, pairs of name and value.
 * @throws Error with the reason, where CloudFront would answer 502 instead
 */
export function writeEdgeAnswer(
  response: ServerResponse,
  answer: CloudFrontResultResponse,
  cors: readonly string[] = [],
): void {
  let ready = prepared.get(answer)
  if (ready === undefined) {
    ready = prepare(answer)
    if (Object.isFrozen(answer)) prepared.set(answer, ready)
  }
  sendAnswer(response, ready.status, cors.length === 0 ? ready.headers : [...ready.headers, ...cors], ready.body)
}

function prepare(answer: CloudFrontResultResponse): Prepared {
  const { status, body } = generatedContent(answer)
  const headers = flat(answer.headers ?? {})
  headers.push('content-length', String(body.length), ...generated)
  return { status, headers, body: body.toString('latin1') }
}

/**
 * Returns status and body of a generated answer.
 * @throws Error with the reason, where CloudFront would answer 502 instead
 */
function generatedContent(answer: CloudFrontResultResponse): { status: number; body: Buffer } {
  const status = Number(answer.status)
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new Error(`the edge function answered with status ${answer.status}`)
  }
  const body = Buffer.from(answer.body ?? '', answer.bodyEncoding === 'base64' ? 'base64' : 'utf8')
  if (status === 204 && body.length > 0) throw new Error('the edge function answered 204 with a body')
  if (body.length > limitBytes) throw new Error(`the edge function answered with ${body.length} bytes`)
  return { status, body }
}

const generated = ['x-cache', 'LambdaGeneratedResponse from cloudfront', 'x-content-type-options', 'nosniff']

function flat(headers: CloudFrontHeaders): string[] {
  const pairs: string[] = []
  for (const name of Object.keys(headers)) {
    const { kind } = headerKind(name)
    if (kind === 'forbidden') throw new Error(`the edge function answered with the forbidden header ${name}`)
    if (name === 'content-length' || name === 'transfer-encoding') continue
    for (const { key, value } of headers[name] ?? []) pairs.push(key ?? name, value)
  }
  return pairs
}

/** An answer, or the changed request. */
export type EdgeResult = CloudFrontResultResponse | CloudFrontRequest
export type LoadedEdgeFunction = (event: CloudFrontRequestEvent) => EdgeResult | Promise<EdgeResult>

let instances = 0

/**
 * Loads a new instance of the gate with its own memory, like each of CloudFront's environments.
 * @throws when it has no handler, or one with a callback, which Lambda's Node 24 rejects
 */
export const loadEdgeFunction = (dist: string): Promise<LoadedEdgeFunction> => loadEdgeFile(`${dist}/edge/handler.mjs`)

/**
 * Loads an instance from another file.
 * @throws as `loadEdgeFunction`
 */
export function loadEdgeFile(file: string): Promise<LoadedEdgeFunction> {
  instances += 1
  return loadHandler(file, `?instance=${instances}`)
}

/**
 * True when the function answered by itself; otherwise its result is the request for the origin.
 */
export function isResponse(result: EdgeResult): result is CloudFrontResultResponse {
  return 'status' in result
}
