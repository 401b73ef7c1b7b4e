/**
 * Loads the deployed CloudFront Functions and validates their results: the pre-gate of API calls, the paths of pages,
 * and the clock of the pointer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { sendAnswer } from './body.ts'
import { headerKind } from './headers.ts'
import type { EdgeLocation } from './key-value-store.ts'
import { loadViewerFunction, type Viewer, viewerEvent } from './viewer-function.ts'

/** An answer from the function, with only the parts that CloudFront sends. */
export const functionAnswer = z.strictObject({
  statusCode: z.int().check(z.gte(200), z.lte(599)),
  statusDescription: z.optional(z.string()),
  headers: z.custom<Record<string, { value: string }>>(areHeaders),
  body: z.optional(z.strictObject({ encoding: z.literal('text'), data: z.string() })),
})
export type FunctionAnswer = z.infer<typeof functionAnswer>

/** Hand-written, because parsing a record of objects takes a tenth of the time of a losing click. */
function areHeaders(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.values(given).every(isHeader)
}

function isHeader(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || !('value' in given)) return false
  return typeof given.value === 'string' && Object.keys(given).length === 1
}

/** Returns the answer to a request, or undefined when the function forwards it unchanged. */
export type PreGate = (request: IncomingMessage) => Promise<FunctionAnswer | undefined>

/** Loads `dist/edge/pre-gate.js` with its store. The function rejects when CloudFront would reject its result. */
export async function loadPreGate(dist: string, store: EdgeLocation): Promise<PreGate> {
  const run = await loadViewerFunction(`${dist}/edge/pre-gate.js`, store)
  return async ({ method = 'GET', url = '/', rawHeaders, socket }) => {
    const event = viewerEvent({ ip: socket.remoteAddress ?? '', method, url, rawHeaders })
    const returned = await run(event)
    return returned === event.request ? undefined : functionAnswer.parse(returned)
  }
}

/**
 * Sends the answer as CloudFront does, with `more` headers, pairs of name and value.
 * @throws Error with the name of a header that CloudFront would reject
 */
export function writeFunctionAnswer(
  response: ServerResponse,
  { statusCode, headers, body }: FunctionAnswer,
  more: readonly string[] = [],
): void {
  const pairs: string[] = []
  for (const name in headers) {
    if (headerKind(name).kind !== 'open') throw new Error(`the function answered with the header ${name}`)
    pairs.push(name, headers[name]?.value ?? '')
  }
  const bytes = Buffer.from(body?.data ?? '')
  if (statusCode !== 204) pairs.push('content-length', String(bytes.length))
  pairs.push('x-cache', 'FunctionGeneratedResponse from cloudfront', ...more)
  sendAnswer(response, statusCode, pairs, bytes)
}

/** The result of the path function: an object of the bucket, or an answer. */
type SitePath = { uri: string } | FunctionAnswer

const siteResult = z.union([functionAnswer, z.object({ uri: z.string() })])

/** `url` is the viewer's raw path with its query. */
export type SiteFunction = (viewer: Viewer) => Promise<SitePath>

/** Loads `dist/edge/site-paths.js` with its store. The function rejects when CloudFront would reject its result. */
export async function loadSiteFunction(dist: string, store: EdgeLocation): Promise<SiteFunction> {
  const run = await loadViewerFunction(`${dist}/edge/site-paths.js`, store)
  return async (viewer) => siteResult.parse(await run(viewerEvent(viewer)))
}

/** `headers` are pairs of name and value. */
type ViewerAnswer = { status: number; headers: string[] }

/**
 * The deployed clock of the pointer (`edge/clock.js`), which runs for every answer to a viewer. Returns the headers for
 * the viewer, pairs of name and value.
 */
export type ClockFunction = (request: IncomingMessage, answer: ViewerAnswer) => string[]

const clockResult = z.object({ statusCode: z.number(), headers: z.record(z.string(), z.object({ value: z.string() })) })

/** Loads `dist/edge/clock.js`. The function throws when CloudFront would reject its result. */
export async function loadClock(dist: string): Promise<ClockFunction> {
  const run = await loadViewerFunction(`${dist}/edge/clock.js`)
  return ({ method = 'GET', url = '/', rawHeaders, socket }, { status, headers }) => {
    const event = viewerEvent({ ip: socket.remoteAddress ?? '', method, url, rawHeaders })
    const context = { ...event.context, eventType: 'viewer-response' as const }
    const response = { statusCode: status, headers: valuesOf(headers) }
    const returned = clockResult.parse(run(Object.assign(event, { context, response })))
    return Object.entries(returned.headers).flatMap(([name, { value }]) => {
      const isGiven = valuesOf(headers)[name]?.value === value
      if (!isGiven && headerKind(name).kind !== 'open') throw new Error(`the clock answered with the header ${name}`)
      return [name, value]
    })
  }
}

function valuesOf(headers: readonly string[]): Record<string, { value: string }> {
  const values: Record<string, { value: string }> = Object.create(null)
  for (let i = 0; i + 1 < headers.length; i += 2) values[headers[i] ?? ''] = { value: headers[i + 1] ?? '' }
  return values
}
