/**
 * Parses a buy or claim request as the gate forwards it, and holds the texts for requests outside
 * the sale's window.
 */
import { maxClickBytes } from '../../core/body-limits.ts'
import { parseSaleId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { problem } from '../../core/outcome.ts'
import { type HttpAnswer, invalid, methodNotAllowed, notFound, problemAnswer } from '../lib/http/answer.ts'
import { readCaller, signInRequired } from '../lib/http/caller.ts'
import { type HttpRequest, isJson } from '../lib/http/request.ts'

/**
 * `admission` is the epoch second in which the gate counts the request; undefined when it counts
 * none.
 */
export type Click = { saleId: SaleId; shopperId: ShopperId; requestId: string; admission: number | undefined }

const path = /^\/api\/sales\/([^/]{1,64})\/([a-z]+)$/

/**
 * The request in a POST to `/api/sales/{saleId}/<wanted>`, with its body not yet parsed; or the
 * answer that rejects it.
 */
export function readClick(
  request: HttpRequest,
  wanted: 'orders' | 'packets',
): { click: Click } | { answer: HttpAnswer } {
  const [, name, asked] = path.exec(request.path) ?? []
  if (asked !== wanted) return { answer: notFound() }
  if (request.method !== 'POST') return { answer: methodNotAllowed(['POST']) }
  const caller = readCaller(request.headers)
  if (caller === undefined) return { answer: signInRequired() }
  const saleId = parseSaleId(name)
  if (saleId === undefined) return { answer: invalid('saleId', 'saleId is not a sale id') }
  const fault = faultOfBody(request)
  if (fault !== undefined) return { answer: fault }
  const { shopperId, requestId } = caller
  return { click: { saleId, shopperId, requestId, admission: readAdmission(request.headers['x-admission']) } }
}

function faultOfBody({ body, headers }: HttpRequest): HttpAnswer | undefined {
  if (Buffer.byteLength(body) > maxClickBytes) {
    return problemAnswer(problem('too-large', `This request has at most ${maxClickBytes} bytes.`))
  }
  if (!isJson(headers['content-type'])) {
    return problemAnswer(problem('unsupported-media-type', 'Send application/json.'))
  }
  return undefined
}

/** Set by the gate, which deletes a client's header of that name. */
function readAdmission(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined
}

/** Problem details for a request outside the window, or from an old page. */
export const shutSentences = {
  'not-started': 'The sale has not started. Wait for the countdown.',
  paused: 'The sale is paused. The page shows when it resumes.',
  ended: 'The sale has ended.',
  'stale-page': 'The page belongs to another opening. Reload it.',
} as const
