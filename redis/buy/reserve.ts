/**
 * Reserves units: decides by the sale's facts whether it is open, and has reserve.lua take the
 * units while those facts hold.
 *
 * The facts of each sale are remembered under their tag, for each connection. A first call, and one
 * after a change of the sale, is answered with the facts in force and decided again by them.
 */
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import { luaCodes } from '../../core/outcome.ts'
import { isVariantId } from '../../core/sale/variants.ts'
import type { Commander, Stocks } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { shopperField, stockKeys, wordOfOrder } from '../keys.ts'
import { integer, kindOf, text } from '../reply.ts'
import { defineScript } from '../script.ts'
import { homeOf } from '../shards.ts'
import type { UnpackedWindow } from '../stock/packed-window.ts'
import { remainingOf } from '../stock/units.ts'
import { wish } from '../stock/wishes.ts'
import source from './reserve.lua'
import {
  knownFacts,
  mostTurns,
  rememberFacts,
  type SaleFacts,
  type StockLeft,
  saleFactsIn,
  stockLeft,
} from './sale-facts.ts'

export const reserveScript = defineScript('reserve', source)

const { reserved, repeat } = luaCodes

/** The replies of reserve.lua that are no bare number. */
const reserveCodes = {
  reserved,
  repeat,
  'stale-facts': 3,
  nothing: 4,
  'last-for-now': 5,
  'unknown-sale': luaCodes['unknown-sale'],
  'invalid-request': luaCodes['invalid-request'],
  'limit-reached': luaCodes['limit-reached'],
  'sold-out': luaCodes['sold-out'],
  unavailable: luaCodes.unavailable,
  'too-many-requests': luaCodes['too-many-requests'],
} as const

/**
 * A request for `quantity` units, in a sale with variants of that `variant`.
 * `now` is epoch ms; `startToken` is the one the page received; `source` is where the shopper came from.
 */
export type Purchase = {
  orderId: OrderId
  saleId: SaleId
  shopperId: ShopperId
  quantity: number
  variant?: string | undefined
  source?: string | undefined
  startToken: string
  now: number
  requestId: string
}

/** Why the sale takes no order of this kind now, or from this page. */
type Refusal =
  | { kind: 'not-started' | 'paused' | 'ended' | 'stale-page' }
  | { kind: 'unavailable'; isHeldBack?: true }
  | { kind: 'invalid-request'; field?: 'variant' }

/**
 * The outcome. `remaining` is -1 for unlimited stock, and where only one shard of a split stock is
 * known. `message`, as JSON, is byte for byte what waits
 * in the outbox. `lacking` is the variant, and what is left of it, if that is too little.
 * `isHeldBack`: too few units are left, but held-back ones may be for sale again. An invalid variant is named as `field`.
 */
export type Reservation =
  | ({ kind: 'reserved'; quantity: number; message: OrderMessage } & StockLeft)
  | { kind: 'repeat'; quantity: number; variant?: string; remaining: number; orderId: OrderId }
  | ({
      kind: 'sold-out'
      remaining: number
      lacking?: { variant: string; left: number } | undefined
    } & Partial<StockLeft>)
  | { kind: 'too-many-requests'; retryAfterMs: number }
  | { kind: 'unknown-sale' | 'limit-reached' }
  | Refusal

/**
 * Reserves the units, or says why not (S1-S9, R2). Safe to repeat: the same order id finds its own
 * reservation.
 * @throws RedisUnavailable when the outcome is unknown, UnexpectedReply
 */
export async function reserve(stocks: Stocks, purchase: Purchase): Promise<Reservation> {
  const { saleId, shopperId } = purchase
  const redis = await homeOf(stocks, saleId, shopperId)
  const reservation = await reserveIn(redis, purchase)
  return redis.shard === undefined ? reservation : ofAllShards(redis, purchase, reservation)
}

/**
 * The answer of one shard of a split stock as one of the whole stock. The shard does not know what
 * is left elsewhere, so its counters are not passed on, and it may be empty while others are not:
 * then the shopper has to ask again, unless all shards together have too few units.
 */
async function ofAllShards(
  shard: Commander,
  { saleId, quantity, variant, now }: Purchase,
  reservation: Reservation,
): Promise<Reservation> {
  const mayBeElsewhere = reservation.kind === 'unavailable' && reservation.isHeldBack === true
  if (reservation.kind === 'sold-out' || mayBeElsewhere) {
    const scarce = await wish(shard, saleId, { quantity, variant }, now)
    if (scarce === undefined) return { kind: 'unavailable' }
    return { kind: 'sold-out', remaining: scarce.remaining, lacking: lackingOf(variant, scarce.leftOfVariant) }
  }
  // A variant of which this shard has nothing left may be elsewhere as well.
  if (reservation.kind === 'reserved') return { ...reservation, remaining: -1, goneVariant: undefined }
  return 'remaining' in reservation ? { ...reservation, remaining: -1 } : reservation
}

async function reserveIn(redis: Commander, purchase: Purchase): Promise<Reservation> {
  const { saleId } = purchase
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const facts = knownFacts(redis, saleId)
    const { keys, args, message, refusal } = reserveCall(purchase, facts, redis.shard)
    const reply = await reserveScript.call(redis, keys, args)
    const outcome = outcomeOf(reply, purchase, facts, message)
    if (outcome.kind === 'nothing' && refusal !== undefined) return refusal
    if (outcome.kind !== 'stale-facts' && outcome.kind !== 'nothing') return outcome
    if (outcome.kind === 'stale-facts') rememberFacts(redis, saleId, outcome.facts)
  }
  return { kind: 'unavailable' }
}

/**
 * The keys and arguments of reserve.lua in order, the message it stores, why the order would be
 * refused, and why a new shopper may not have it; without `facts` the script only looks for the
 * order and answers with them.
 */
export function reserveCall(purchase: Purchase, facts: SaleFacts | undefined, shard?: number) {
  const { stock, outbox } = stockKeys(purchase.saleId, shard)
  const { shopper, quantity, first, order, body, ...decided } = orderOf(purchase, facts)
  const args = [shopper, facts?.tag ?? '', quantity, order, first, body]
  if (decided.whyNot !== undefined) args.push(decided.whyNot)
  if (purchase.variant !== undefined && decided.whyNot !== undefined) args.push(purchase.variant)
  return { keys: [stock, outbox], args, ...decided }
}

/** An order as the script reads it; `body` is the message as JSON. */
function orderOf(purchase: Purchase, facts: SaleFacts | undefined) {
  const { saleId, orderId, shopperId, quantity, variant, source, now, requestId } = purchase
  const epoch = facts?.window.epoch ?? 0
  const wanted = { quantity, ...(variant && { variant }), ...(source && { source }) }
  const message: OrderMessage = { orderId, saleId, shopperId, ...wanted, reservedAt: now, requestId, epoch }
  const refusal = facts && refusalOf(facts.window, purchase)
  const order = wordOfOrder(orderId)
  return {
    shopper: shopperField(shopperId),
    quantity: String(quantity),
    first: `${order}=${quantity}@${now}`,
    order,
    body: JSON.stringify(message),
    message,
    refusal,
    whyNot: whyNotNew(purchase, facts, refusal),
  }
}

/**
 * Why a new shopper may not have the order, as reserve.lua reads it; undefined when they may. The
 * short way of the script knows no variants.
 */
function whyNotNew(
  { quantity, variant }: Purchase,
  facts: SaleFacts | undefined,
  refusal: Refusal | undefined,
): 'shut' | 'check' | undefined {
  if (facts === undefined || refusal !== undefined) return 'shut'
  const { maxPerOrder, limitPerShopper } = facts.window
  return variant !== undefined || quantity > Math.min(maxPerOrder, limitPerShopper) ? 'check' : undefined
}

/** Why no shopper may order this now. */
function refusalOf(window: UnpackedWindow, purchase: Purchase): Refusal | undefined {
  const { flag, token, opensAt, lastAt, isFollowed, hasVariants } = window
  const { now, startToken, quantity, variant } = purchase
  if (flag === 'frozen') return { kind: 'unavailable' }
  const isOver = now > lastAt
  if (flag === 'closed' || (isOver && !isFollowed)) return { kind: 'ended' }
  if (flag === 'paused') return { kind: 'paused' }
  if (flag === 'off' || isOver || now < opensAt) return { kind: 'not-started' }
  if (token !== startToken) return { kind: 'stale-page' }
  if (hasVariants !== (variant !== undefined)) return { kind: 'invalid-request', field: 'variant' }
  return Number.isSafeInteger(quantity) && quantity > 0 ? undefined : { kind: 'invalid-request' }
}

type Answer = Reservation | { kind: 'stale-facts'; facts: SaleFacts } | { kind: 'nothing' }

function outcomeOf(
  reply: unknown,
  { orderId, quantity, variant }: Purchase,
  facts: SaleFacts | undefined,
  message: OrderMessage,
): Answer {
  if (!Array.isArray(reply)) {
    const number = integer(reply, 'reserve reply')
    if (number < 0) return { kind: 'sold-out', ...stockLeft(decidedBy(facts), -1 - number) }
    return { kind: 'reserved', quantity, message, ...stockLeft(decidedBy(facts), number) }
  }
  const [code, ...rest] = reply
  const [first, second, third] = rest
  const kind = kindOf(reserveCodes, code, 'reserve')
  if (kind === 'repeat') {
    const remaining = remainingOf(integer(second, 'left'))
    const units = { quantity: integer(first, 'quantity'), ...variantOfRepeat(third) }
    return { kind, ...units, remaining, orderId }
  }
  if (kind === 'stale-facts') return { kind, facts: saleFactsIn(rest) }
  if (kind === 'too-many-requests') return { kind, retryAfterMs: integer(first, 'wait') }
  if (kind === 'invalid-request' && variant !== undefined) return { kind, field: 'variant' }
  if (kind === 'unavailable') return { kind, isHeldBack: true }
  if (kind !== 'reserved' && kind !== 'last-for-now' && kind !== 'sold-out') return { kind }
  const left = stockLeft(decidedBy(facts), integer(first, 'left'))
  if (kind === 'sold-out') {
    const lacking = lackingOf(variant, second)
    return { kind, ...left, lacking, ...(lacking?.left === 0 && { goneVariant: variant }) }
  }
  const won = {
    kind: 'reserved',
    quantity,
    message,
    ...left,
    ...(second === 'gone' && { goneVariant: variant }),
  } as const
  return kind === 'last-for-now' ? { ...won, holdsBack: true } : won
}

/** The variant of which too little is left, where the reply says how much. */
function lackingOf(variant: string | undefined, left: unknown): { variant: string; left: number } | undefined {
  if (variant === undefined || left === undefined || left === null) return undefined
  return { variant, left: Math.max(0, integer(left, 'left of the variant')) }
}

function variantOfRepeat(word: unknown): { variant?: string } {
  if (word === undefined || word === null) return {}
  const variant = text(word, 'variant')
  if (!isVariantId(variant)) throw new UnexpectedReply('the variant of an order is not readable')
  return { variant }
}

function decidedBy(facts: SaleFacts | undefined): SaleFacts {
  if (facts === undefined) throw new UnexpectedReply('reserve decided without facts')
  return facts
}
