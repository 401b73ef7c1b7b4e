/** `POST /api/sales/{saleId}/orders`: from the request to a purchase, and from what became of it to an answer. */
import { maxBuyBodyBytes, readBuyRequest } from '../../core/buy-request.ts'
import { parseIdempotencyKey, parseSaleId } from '../../core/ids.ts'
import { outcomes, type ProblemFacts, problem } from '../../core/outcome.ts'
import type { Reservation } from '../../redis/reserve.ts'
import { type HttpAnswer, invalid, jsonAnswer, problemAnswer, unavailable } from '../http/answer.ts'
import { readCaller, signInRequired } from '../http/caller.ts'
import { type HttpRequest, isJson } from '../http/request.ts'
import { methodNotAllowed, notFound } from '../http/routes.ts'
import { type Ports, type Purchased, purchase, type WantedPurchase } from './reserve.ts'

const path = /^\/api\/sales\/([^/]{1,64})\/orders$/

/** Answers one buy request. Throws what the ports throw. */
export async function answerPurchase(ports: Ports, request: HttpRequest): Promise<HttpAnswer> {
  const wanted = readPurchase(request)
  if ('answer' in wanted) return wanted.answer
  return answerOf(await purchase(ports, wanted.purchase), ports.clock())
}

function readPurchase(request: HttpRequest): { purchase: WantedPurchase } | { answer: HttpAnswer } {
  const name = path.exec(request.path)?.[1]
  if (name === undefined) return { answer: notFound() }
  if (request.method !== 'POST') return { answer: methodNotAllowed(['POST']) }
  const caller = readCaller(request.headers)
  if (caller === undefined) return { answer: signInRequired() }
  const saleId = parseSaleId(name)
  if (saleId === undefined) return { answer: invalid('saleId', 'saleId is not a sale id') }
  const fault = faultOfBody(request)
  if (fault !== undefined) return { answer: fault }
  const body = readBuyRequest(request.body)
  if (!body.ok) return { answer: invalid(body.field, body.detail) }
  const header = request.headers['idempotency-key']
  const key = parseIdempotencyKey(header)
  if (header !== undefined && key === undefined) {
    return { answer: invalid('Idempotency-Key', 'Idempotency-Key must be 1 to 64 of A-Z a-z 0-9 _ . : -') }
  }
  const { shopperId, requestId } = caller
  const { quantity, startToken } = body.value
  const admission = readAdmission(request.headers['x-admission'])
  return { purchase: { saleId, shopperId, requestId, key, quantity, startToken, admission } }
}

/** Set by the gate, which deletes what a client sent under that name. */
function readAdmission(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined
}

function faultOfBody(request: HttpRequest): HttpAnswer | undefined {
  if (Buffer.byteLength(request.body) > maxBuyBodyBytes) {
    return problemAnswer(problem('too-large', `A purchase has at most ${maxBuyBodyBytes} bytes.`))
  }
  if (!isJson(request.headers['content-type'])) {
    return problemAnswer(problem('unsupported-media-type', 'Send application/json.'))
  }
  return undefined
}

function answerOf({ orderId, reservation }: Purchased, now: number): HttpAnswer {
  if (reservation.kind === 'reserved' || reservation.kind === 'repeat') {
    const { quantity, remaining } = reservation
    const id = reservation.kind === 'repeat' ? reservation.orderId : orderId
    return jsonAnswer(outcomes[reservation.kind].status, {
      orderId: id,
      // The order is found again, and its units are not the shopper's any more.
      status: quantity === 0 ? 'cancelled' : 'reserved',
      quantity,
      remaining,
    })
  }
  // The gate knows the sale, so a stock that is not there was lost, and is being rebuilt (P10).
  if (reservation.kind === 'unavailable' || reservation.kind === 'unknown-sale') {
    return unavailable(Math.random)
  }
  return problemAnswer(problem(reservation.kind, sentences[reservation.kind], factsOf(reservation, now)))
}

type Refusal = Exclude<Reservation, { kind: 'reserved' | 'repeat' }>

const sentences: Record<Exclude<Refusal['kind'], 'unavailable' | 'unknown-sale'>, string> = {
  'sold-out': 'There are fewer units left than you asked for.',
  'not-started': 'The sale has not started. Wait for the countdown.',
  paused: 'The sale is paused. Your page will tell when it goes on.',
  ended: 'The sale has ended.',
  'stale-page': 'The page belongs to another opening. Reload it.',
  'invalid-request': 'quantity is more than one order of this sale may have',
  'limit-reached': 'With this order you would have more than one shopper may buy.',
  'too-many-requests': 'You have tried too often. Wait before you try again.',
}

function factsOf(refusal: Refusal, now: number): ProblemFacts {
  if (refusal.kind === 'sold-out') return { remaining: refusal.remaining }
  if (refusal.kind === 'not-started') return { now }
  if (refusal.kind === 'invalid-request') return { field: 'quantity' }
  if (refusal.kind === 'too-many-requests') {
    return { retryAfterSeconds: Math.ceil(refusal.retryAfterMs / 1000) }
  }
  return {}
}
