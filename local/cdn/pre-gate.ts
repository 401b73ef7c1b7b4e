/**
 * The deployed pre-gate (`edge/pre-gate.js`), which every API call passes before the edge function.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { headerKind } from './headers.ts'
import type { EdgeLocation } from './key-value-store.ts'
import { sendAnswer } from './send.ts'
import { loadViewerFunction, settled, viewerEvent } from './viewer-function.ts'

/**
 * An answer of the function, in CloudFront's form and with only the parts that CloudFront sends.
 */
export const preGateAnswer = z.strictObject({
  statusCode: z.int().check(z.gte(200), z.lte(599)),
  statusDescription: z.optional(z.string()),
  headers: z.custom<Record<string, { value: string }>>(areHeaders),
  body: z.optional(z.strictObject({ encoding: z.literal('text'), data: z.string() })),
})
export type PreGateAnswer = z.infer<typeof preGateAnswer>

/** In code, because a record of objects takes a tenth of a losing click to parse. */
function areHeaders(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.values(given).every(isHeader)
}

function isHeader(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || !('value' in given)) return false
  return typeof given.value === 'string' && Object.keys(given).length === 1
}

/**
 * The answer to a request, or undefined when it passes unchanged; a promise of it where the function
 * is asynchronous.
 */
export type PreGate = (request: IncomingMessage) => PreGateAnswer | undefined | Promise<PreGateAnswer | undefined>

/**
 * The function in `dist/edge/pre-gate.js` with its store. It throws or rejects for a result that
 * CloudFront would reject.
 */
export async function loadPreGate(dist: string, store: EdgeLocation): Promise<PreGate> {
  const run = await loadViewerFunction(`${dist}/edge/pre-gate.js`, store)
  return ({ method = 'GET', url = '/', rawHeaders, socket }) => {
    const event = viewerEvent({ ip: socket.remoteAddress ?? '', method, url, rawHeaders })
    return settled(run(event), (returned) => (returned === event.request ? undefined : preGateAnswer.parse(returned)))
  }
}

/**
 * Sends the answer as CloudFront does.
 * @throws Error with the name of a header that CloudFront would reject
 */
export function writePreGateAnswer(response: ServerResponse, { statusCode, headers, body }: PreGateAnswer): void {
  const pairs: string[] = []
  for (const name in headers) {
    if (headerKind(name).kind !== 'open') throw new Error(`the pre-gate answered with the header ${name}`)
    pairs.push(name, headers[name]?.value ?? '')
  }
  const bytes = body && Buffer.from(body.data)
  if (bytes !== undefined) pairs.push('content-length', String(bytes.length))
  pairs.push('x-cache', 'FunctionGeneratedResponse from cloudfront', 'x-content-type-options', 'nosniff')
  sendAnswer(response, statusCode, pairs, bytes)
}
