/**
 * `POST /api/sales/{saleId}/orders` buys units, and `/packets` claims a red packet, which is an order of one unit: one
 * script reserves them, then the order message is dispatched. Once the script has succeeded, no later failure may
 * change the answer.
 */
import { purchaseApi } from '../../core/api/purchase.ts'
import { ordersLookup, walletLookup } from '../../core/buy/lookup.ts'
import { purchaseKey } from '../../core/buy/requests.ts'
import { type OrderId, parseIdempotencyKey, saleOfOrder } from '../../core/ids.ts'
import { sourceIn } from '../../core/orders/order-message.ts'
import { outcomes, type ProblemFacts, problem, soldOutInChoice } from '../../core/outcome.ts'
import { claimKey, packetIdOf } from '../../core/packets/packet.ts'
import { type Purchase, type Reservation, reserve, type StockLeft } from '../../redis/buy/reserve.ts'
import type { Stocks } from '../../redis/command.ts'
import { UnexpectedReply } from '../../redis/errors.ts'
import { answerOf, type HttpAnswer, invalid, problemAnswer, unavailable } from '../lib/http/answer.ts'
import { type Call, type Caller, createApp, forShoppers, on } from '../lib/http/app.ts'
import { deriveOrderId } from '../lib/order-id.ts'
import type { MetricName } from '../lib/telemetry.ts'
import { type CompletePorts, dispatchDecided, type OrderSender, reportToGate } from './complete-admission.ts'

/**
 * A buy request; `key` is its Idempotency-Key. `admission` is the epoch second in which the gate
 * counts the request; undefined when it counts none.
 */
export type WantedPurchase = Omit<Purchase, 'orderId' | 'now' | 'byGate'> & {
  key?: string | undefined
  admission: number | undefined
}

export type ReservePorts = { stock: Stocks; queue: OrderSender; clock: () => number } & CompletePorts

/** The metric for each outcome; `Refused` for all others. */
const counts: Partial<Record<Reservation['kind'], MetricName>> = {
  reserved: 'Reserved',
  'sold-out': 'SoldOut',
  repeat: 'Repeated',
  'too-many-requests': 'Throttled',
}

/** @throws RedisUnavailable when the outcome is unknown; the call can be repeated */
export async function purchase(ports: ReservePorts, wanted: WantedPurchase): Promise<Purchased> {
  const { key, admission, ...rest } = wanted
  const { saleId } = wanted
  const orderKey = wanted.isClaim ? claimKey : purchaseKey(key, wanted.startToken)
  const orderId = deriveOrderId(saleId, wanted.shopperId, orderKey)
  const asked = reserve(ports.stock, { ...rest, orderId, now: ports.clock(), byGate: true })
  const reservation = await asked.catch((error) => {
    ports.demand.count(saleId, 'unavailable')
    throw error
  })
  ports.demand.count(saleId, reservation.kind)
  ports.meter.count(counts[reservation.kind] ?? 'Refused')
  const left = isCounted(reservation) ? reservation : undefined
  const decided = { saleId, admission, left }
  if (reservation.kind === 'reserved') {
    const { requestId } = wanted
    await dispatchDecided(ports, reservation.message, decided, { orderId, requestId })
  } else {
    await reportToGate(ports, decided)
  }
  return { orderId, reservation }
}

/** Answers without counters reached no stock, or one shard of several. */
function isCounted(reservation: Reservation): reservation is Reservation & StockLeft {
  return 'booked' in reservation
}

export function clickOf({
  caller: { shopperId, requestId },
  params: { saleId },
  headers,
}: Pick<Call<typeof purchaseApi.buy, Caller>, 'caller' | 'params' | 'headers'>) {
  // Set by the gate, which deletes a client's header of that name.
  const header = headers['x-admission']
  const admission = header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined
  return { saleId, shopperId, requestId, admission }
}

/** The outcome, and the order id that a repeat finds. */
export type Purchased = { orderId: OrderId; reservation: Reservation }

function answerOfPurchase(lookup: string, { orderId, reservation }: Purchased, now: number): HttpAnswer {
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
  return answerOfRefusal(lookup, reservation, now)
}

/** The answer has the packet at once; the wallet has it when the order is written. */
function answerOfClaim({ orderId, reservation }: Purchased, now: number): HttpAnswer {
  if (reservation.kind !== 'reserved' && reservation.kind !== 'repeat') {
    return answerOfRefusal(walletLookup, reservation, now)
  }
  const { kind, remaining } = reservation
  const { packet } = kind === 'repeat' ? reservation : reservation.message
  if (kind === 'repeat' && reservation.quantity === 0) {
    return problemAnswer(problem('limit-reached', 'Your red packet of this sale could not be credited.'))
  }
  if (packet === undefined) throw new UnexpectedReply('a claim took no packet')
  const { number, amount, currency } = packet
  return answerOf(
    { ...purchaseApi.claim, status: outcomes.claimed.status },
    {
      packetId: packetIdOf(saleOfOrder(orderId), number),
      amount,
      currency,
      ...(kind === 'repeat' ? { repeat: true } : { remaining }),
    },
  )
}

function answerOfRefusal(lookup: string, reservation: RefusedPurchase, now: number): HttpAnswer {
  // The gate knows the sale, so missing stock was lost and is being recovered (P10).
  if (reservation.kind === 'unavailable' || reservation.kind === 'unknown-sale' || reservation.kind === 'promised') {
    return unavailable(Math.random)
  }
  return problemAnswer(
    problem(reservation.kind, sentenceOf(reservation.kind, reservation), factsOf(lookup, reservation, now)),
  )
}

type RefusedPurchase = Exclude<Reservation, { kind: 'reserved' | 'repeat' }>

type SaidKind = Exclude<RefusedPurchase['kind'], 'unavailable' | 'unknown-sale' | 'promised'>

const sentences: Record<SaidKind, string> = {
  'not-started': 'The sale has not started. Wait for the countdown.',
  paused: 'The sale is paused. The page shows when it resumes.',
  ended: 'The sale has ended.',
  'stale-page': 'The page belongs to another opening. Reload it.',
  'sold-out': 'There are fewer units left than you asked for.',
  'invalid-request': 'quantity is more than one order of this sale may have',
  'limit-reached':
    'With this order you would have more than one shopper may buy, or you have given back too many orders of this sale.',
  'too-many-requests': 'You have tried too often. Wait before you try again.',
}

const wrongVariant = 'variant must be one of this sale, and absent where it has none'

function sentenceOf(kind: SaidKind, refusal: RefusedPurchase): string {
  if (refusal.kind === 'invalid-request' && refusal.field === 'variant') return wrongVariant
  const isGone = refusal.kind === 'sold-out' && refusal.remaining > 0 && refusal.lacking?.left === 0
  return isGone ? soldOutInChoice : sentences[kind]
}

function factsOf(lookup: string, refusal: RefusedPurchase, now: number): ProblemFacts {
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
    return answerOfPurchase(ordersLookup(call.params.saleId), purchased, ports.clock())
  }),
  on(purchaseApi.claim, async (ports: ReservePorts, call) => {
    const { startToken } = call.body
    const purchased = await purchase(ports, { ...clickOf(call), quantity: 1, startToken, isClaim: true })
    return answerOfClaim(purchased, ports.clock())
  }),
]

/** Answers purchases and claims. */
export const purchaseApp = (ports: ReservePorts) => createApp(ports, routes, forShoppers)
