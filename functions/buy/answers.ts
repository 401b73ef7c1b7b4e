/** Answers of the calls that buy units or claim a red packet. */
import { purchaseApi } from '../../core/api/purchase.ts'
import { walletLookup } from '../../core/buy/lookup.ts'
import { type OrderId, saleOfOrder } from '../../core/ids.ts'
import { outcomes, type ProblemFacts, problem, soldOutInChoice } from '../../core/outcome.ts'
import { packetIdOf } from '../../core/packets/packet.ts'
import type { Reservation } from '../../redis/buy/reserve.ts'
import { UnexpectedReply } from '../../redis/errors.ts'
import { answerOf, type HttpAnswer, problemAnswer, unavailable } from '../lib/http/answer.ts'

/** The outcome, and the order id that a repeat finds. */
export type PurchaseResult = { orderId: OrderId; reservation: Reservation }

export function purchaseAnswer(lookup: string, { orderId, reservation }: PurchaseResult, now: number): HttpAnswer {
  if (reservation.kind === 'reserved' || reservation.kind === 'repeat') {
    const { quantity, remaining } = reservation
    const isRepeat = reservation.kind === 'repeat'
    const id = isRepeat ? reservation.orderId : orderId
    const { variant } = isRepeat ? reservation : reservation.message
    return answerOf(
      { ...purchaseApi.buy, status: outcomes[reservation.kind].status },
      {
        orderId: id,
        // The units of the first request were released in the meantime.
        status: quantity === 0 ? 'cancelled' : 'reserved',
        quantity,
        ...(variant && { variant }),
        remaining,
      },
    )
  }
  return refusalAnswer(lookup, reservation, now)
}

/** Answers with the packet at once. The wallet lists it only when the order is written. */
export function claimAnswer({ orderId, reservation }: PurchaseResult, now: number): HttpAnswer {
  if (reservation.kind !== 'reserved' && reservation.kind !== 'repeat') {
    return refusalAnswer(walletLookup, reservation, now)
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

function refusalAnswer(lookup: string, reservation: PurchaseRefusal, now: number): HttpAnswer {
  // The gate knows the sale, so missing stock was lost and is being recovered (P10).
  if (
    reservation.kind === 'unavailable' ||
    reservation.kind === 'unknown-sale' ||
    reservation.kind === 'invitation-required'
  ) {
    return unavailable()
  }
  return problemAnswer(
    problem(reservation.kind, detailOf(reservation.kind, reservation), factsOf(lookup, reservation, now)),
  )
}

type PurchaseRefusal = Exclude<Reservation, { kind: 'reserved' | 'repeat' }>

type RefusalKind = Exclude<PurchaseRefusal['kind'], 'unavailable' | 'unknown-sale' | 'invitation-required'>

const details: Record<RefusalKind, string> = {
  'not-started': 'The sale has not started. Wait for the countdown.',
  paused: 'The sale is paused. The page shows when it resumes.',
  ended: 'The sale has ended.',
  'stale-page': 'The page belongs to another opening. Reload it.',
  'sold-out': 'There are fewer units left than you asked for.',
  'invalid-request': 'quantity is more than one order of this sale may have',
  'limit-reached':
    'With this order you would have more than one shopper may buy, or you have given back too many orders of this sale.',
  'too-many-requests': 'Too many attempts. Try again later.',
}

const wrongVariant = 'variant must be one of this sale, or absent if it has none'

function detailOf(kind: RefusalKind, refusal: PurchaseRefusal): string {
  if (refusal.kind === 'invalid-request' && refusal.field === 'variant') return wrongVariant
  const isGone = refusal.kind === 'sold-out' && refusal.remaining > 0 && refusal.shortVariant?.left === 0
  return isGone ? soldOutInChoice : details[kind]
}

function factsOf(lookup: string, refusal: PurchaseRefusal, now: number): ProblemFacts {
  if (refusal.kind === 'sold-out') {
    const { remaining, shortVariant } = refusal
    return { remaining, ...(shortVariant && { variant: shortVariant.variant }), lookup }
  }
  if (refusal.kind === 'ended' || refusal.kind === 'stale-page') return { lookup }
  if (refusal.kind === 'not-started') return { now }
  if (refusal.kind === 'invalid-request') return { field: refusal.field ?? 'quantity' }
  if (refusal.kind === 'too-many-requests') {
    return { retryAfterSeconds: Math.ceil(refusal.retryAfterMs / 1000) }
  }
  return {}
}
