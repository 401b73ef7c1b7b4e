/** `POST /api/sales/{saleId}/orders`: parses the request, reserves units and builds the answer. */
import { purchaseApi } from '../../core/api/purchase.ts'
import { ordersLookup } from '../../core/buy/lookup.ts'
import { parseIdempotencyKey, type SaleId } from '../../core/ids.ts'
import { sourceIn } from '../../core/orders/order-message.ts'
import { outcomes, type ProblemFacts, problem, soldOutInChoice } from '../../core/outcome.ts'
import type { Reservation } from '../../redis/buy/reserve.ts'
import { answerOf, type HttpAnswer, invalid, problemAnswer, unavailable } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import { clickOf, shutSentences } from './click-http.ts'
import { type Purchased, purchase, type ReservePorts } from './reserve.ts'

const routes = [
  on(purchaseApi.buy, async (ports: ReservePorts, call) => {
    const header = call.headers['idempotency-key']
    const key = parseIdempotencyKey(header)
    if (header !== undefined && key === undefined)
      return invalid('Idempotency-Key', 'Idempotency-Key must be 1 to 64 of A-Z a-z 0-9 _ . : -')
    const { quantity, variant, startToken } = call.body
    const source = sourceIn(call.headers.referer)
    const wanted = { ...clickOf(call), key, quantity, variant, source, startToken }
    const purchased = await purchase(ports, wanted)
    return answerOfPurchase(call.params.saleId, purchased, ports.clock())
  }),
]

/** Answers purchases. */
export const purchaseApp = (ports: ReservePorts) => createApp(ports, routes, forShoppers)

function answerOfPurchase(saleId: SaleId, { orderId, reservation }: Purchased, now: number): HttpAnswer {
  if (reservation.kind === 'reserved' || reservation.kind === 'repeat') {
    const { quantity, remaining } = reservation
    const isRepeat = reservation.kind === 'repeat'
    const id = isRepeat ? reservation.orderId : orderId
    const { variant } = isRepeat ? reservation : reservation.message
    return answerOf(
      { ...purchaseApi.buy, status: outcomes[reservation.kind].status },
      {
        orderId: id,
        // A repeat whose units were released in the meantime.
        status: quantity === 0 ? 'cancelled' : 'reserved',
        quantity,
        ...(variant && { variant }),
        remaining,
      },
    )
  }
  // The gate knows the sale, so missing stock was lost and is being recovered (P10).
  if (reservation.kind === 'unavailable' || reservation.kind === 'unknown-sale') {
    return unavailable(Math.random)
  }
  return problemAnswer(
    problem(reservation.kind, sentenceOf(reservation.kind, reservation), factsOf(saleId, reservation, now)),
  )
}

type Refusal = Exclude<Reservation, { kind: 'reserved' | 'repeat' }>

type SaidKind = Exclude<Refusal['kind'], 'unavailable' | 'unknown-sale'>

const sentences: Record<SaidKind, string> = {
  ...shutSentences,
  'sold-out': 'There are fewer units left than you asked for.',
  'invalid-request': 'quantity is more than one order of this sale may have',
  'limit-reached':
    'With this order you would have more than one shopper may buy, or you have given back too many orders of this sale.',
  'too-many-requests': 'You have tried too often. Wait before you try again.',
}

const wrongVariant = 'variant must be one of this sale, if it has some, and quantity at most what one order may have'

function sentenceOf(kind: SaidKind, refusal: Refusal): string {
  if (refusal.kind === 'invalid-request' && refusal.field === 'variant') return wrongVariant
  const isGone = refusal.kind === 'sold-out' && refusal.remaining > 0 && refusal.lacking?.left === 0
  return isGone ? soldOutInChoice : sentences[kind]
}

function factsOf(saleId: SaleId, refusal: Refusal, now: number): ProblemFacts {
  const lookup = ordersLookup(saleId)
  if (refusal.kind === 'sold-out') {
    const { remaining, lacking } = refusal
    return { remaining, ...(lacking && { variant: lacking.variant }), lookup }
  }
  if (refusal.kind === 'ended' || refusal.kind === 'stale-page') return { lookup }
  if (refusal.kind === 'not-started') return { now }
  if (refusal.kind === 'invalid-request') return { field: refusal.field ?? 'quantity' }
  if (refusal.kind === 'too-many-requests') {
    return { retryAfterSeconds: Math.ceil(refusal.retryAfterMs / 1000) }
  }
  return {}
}
