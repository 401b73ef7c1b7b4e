/** Runs reserve.lua, which decides whether the sale is open, who may buy and what is left. */
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import { type OrderMessage, orderMessage } from '../../core/orders/order-message.ts'
import { luaCodes } from '../../core/outcome.ts'
import { redPacket as packetShape, type RedPacket } from '../../core/packets/packet.ts'
import { isVariantId } from '../../core/sale/variants.ts'
import type { Commander, Stocks } from '../command.ts'
import { RedisUnavailable, UnexpectedReply } from '../errors.ts'
import { orderSuffix, stockKeys } from '../keys.ts'
import { parseEntry } from '../orders/outbox-entry.ts'
import { integer, jsonReply, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import { shardOf } from '../shards.ts'
import { recordShardDemand } from '../stock/shard-demand.ts'
import { remainingOf } from '../stock/units.ts'
import source from './reserve.lua'

export const reserveScript = defineScript('reserve', source)

const reserveCodes = { ...luaCodes, 'invitation-required': 20 } as const

/** The values of a reply of reserve.lua after its code: the counters, then the details of its kind. */
export const replySlots = {
  counters: [
    ...(['total', 'booked', 'stockRevision', 'heldBack'] as const),
    ...(['totalOfVariant', 'bookedOfVariant', 'heldBackOfVariant'] as const),
  ],
  details: {
    reserved: ['packet'],
    repeat: ['quantity', 'variant', 'packet', 'entry'],
    'invalid-request': ['field'],
    'too-many-requests': ['waitMs'],
  },
} as const

/**
 * A request for units. `variant` is required in a sale with variants. `now` is epoch ms. `startToken` is the token that the
 * page received. `source` is where the shopper came from. `byGate`: the gate has admitted the shopper, and has checked the
 * list of a sale by invitation (N3). `isClaim`: the unit is a red packet.
 */
export type ReserveRequest = {
  orderId: OrderId
  saleId: SaleId
  shopperId: ShopperId
  quantity: number
  variant?: string | undefined
  source?: string | undefined
  startToken: string
  now: number
  requestId: string
  byGate?: true
  isClaim?: true
}

/**
 * The stock after a purchase. `remaining` is -1 for an unlimited stock. `booked` counts the booked units. `holdsBack`: only
 * held-back units are left, so the stock is not sold out. `soldOutVariant` is the variant of the order, if none is left.
 */
export type StockLeft = {
  remaining: number
  stockRevision: number
  booked: number
  holdsBack?: true
  soldOutVariant?: string | undefined
}

/**
 * The outcome. `remaining` is -1 for an unlimited stock, and if only one shard of a split stock is known. `message` as JSON
 * equals the entry of the outbox byte for byte; that of a claim includes its packet. A repeat has the message while it is
 * in the outbox, because it may never have reached the queue. `shortVariant` is the variant with too few units, and how
 * many are left. `isHeldBack`: too few units are left, but held-back ones may be for sale again. An invalid variant is
 * named as `field`. `invitation-required`: only invited shoppers may buy, and the request did not come through the gate.
 */
export type Reservation =
  | ({ kind: 'reserved'; quantity: number; message: OrderMessage } & StockLeft)
  | ({ kind: 'repeat'; quantity: number; remaining: number; orderId: OrderId } & Repeated)
  | ({
      kind: 'sold-out'
      remaining: number
      shortVariant?: { variant: string; left: number } | undefined
    } & Partial<StockLeft>)
  | { kind: 'too-many-requests'; retryAfterMs: number }
  | { kind: 'unavailable'; isHeldBack?: true }
  | { kind: 'invalid-request'; field?: 'variant' }
  | { kind: 'unknown-sale' | 'not-started' | 'paused' | 'ended' | 'stale-page' | 'limit-reached' }
  | { kind: 'invitation-required' }

type Repeated = { variant?: string; packet?: RedPacket; message?: OrderMessage }

/**
 * Reserves the units, or returns why not (S1-S9, R2). Safe to repeat: the same order id finds its own reservation.
 * @throws RedisUnavailable when the outcome is unknown, UnexpectedReply
 */
export async function reserve(stocks: Stocks, request: ReserveRequest): Promise<Reservation> {
  return reserveAt(await shardOf(stocks, request.saleId, request.shopperId), request)
}

/** Reserves in `shard`, which has all orders of the shopper. @throws as `reserve` does */
export async function reserveAt(shard: Commander, request: ReserveRequest): Promise<Reservation> {
  const { keys, args, message } = reserveCall(request, shard.shard)
  const reservation = outcomeOf(await reserveScript.run(shard, keys, args), request, message)
  return shard.shard === undefined ? reservation : forWholeStock(shard, request, reservation)
}

/**
 * Converts the answer of one shard into one of the whole stock. The shard does not know the units of other shards, so its
 * counters are dropped. If it is empty while others may not be, the shopper has to retry, unless all shards together have
 * too few units. If recording the demand fails after nothing was booked, the outcome is known, so that is no error.
 */
async function forWholeStock(
  shard: Commander,
  { saleId, quantity, variant, now }: ReserveRequest,
  reservation: Reservation,
): Promise<Reservation> {
  const mayBeElsewhere = reservation.kind === 'unavailable' && reservation.isHeldBack === true
  if (reservation.kind === 'sold-out' || mayBeElsewhere) {
    const shortage = await recordShardDemand(shard, saleId, { quantity, variant }, now).catch((error: unknown) => {
      if (!(error instanceof RedisUnavailable)) throw error
      return undefined
    })
    if (shortage === undefined) return { kind: 'unavailable' }
    return { kind: 'sold-out', remaining: shortage.remaining, ...shortVariantOf(variant, shortage.leftOfVariant) }
  }
  // Other shards may have units of a variant that this shard has sold out.
  if (reservation.kind === 'reserved') return { ...reservation, remaining: -1, soldOutVariant: undefined }
  return 'remaining' in reservation ? { ...reservation, remaining: -1 } : reservation
}

/** Returns the keys and arguments of reserve.lua, and the message that it stores. It adds the packet of a claim. */
export function reserveCall(request: ReserveRequest, shard?: number) {
  const { saleId, orderId, shopperId, quantity, variant, source: from, startToken, now, requestId } = request
  const { stock, outbox, packets } = stockKeys(saleId, shard)
  const wanted = { quantity, ...(variant && { variant }), ...(from && { source: from }) }
  const message: OrderMessage = { orderId, saleId, shopperId, ...wanted, reservedAt: now, requestId }
  const units = Number.isSafeInteger(quantity) ? quantity : 0
  const args = [shopperId, orderSuffix(orderId), String(units), String(now), startToken, JSON.stringify(message)]
  const keys = [stock, outbox, ...(request.isClaim ? [packets] : [])]
  return { keys, args: [...args, variant ?? '', request.byGate ? '1' : ''], message }
}

type Slots<Name extends string> = Readonly<Record<Name, unknown>>

/** Names the values of a reply. Missing values are undefined. */
const named = <Name extends string>(names: readonly Name[], values: readonly unknown[]): Slots<Name> =>
  Object.fromEntries(names.map((name, at) => [name, values[at]])) as Slots<Name>

/** Reads the counters in a reply. `leftOfVariant` is undefined unless the order has a variant that the sale has. */
function countersIn(reply: Slots<(typeof replySlots.counters)[number]>) {
  const count = (name: keyof typeof reply) => integer(reply[name], name)
  const hasVariant = reply.totalOfVariant !== null && reply.totalOfVariant !== undefined
  return {
    left: count('total') - count('booked'),
    booked: count('booked'),
    stockRevision: count('stockRevision'),
    isHeldBack: count('heldBack') > 0,
    leftOfVariant: hasVariant ? count('totalOfVariant') - count('bookedOfVariant') : undefined,
    isVariantHeldBack: count('heldBackOfVariant') > 0,
  }
}

function outcomeOf(
  [code, ...slots]: readonly unknown[],
  { orderId, quantity, variant }: ReserveRequest,
  message: OrderMessage,
): Reservation {
  const kind = kindOf(reserveCodes, code, 'reserve')
  const { counters, details } = replySlots
  const added = slots.slice(counters.length)
  if (kind === 'too-many-requests') return { kind, retryAfterMs: integer(named(details[kind], added).waitMs, 'waitMs') }
  if (kind === 'invalid-request') {
    const { field } = named(details[kind], added)
    return { kind, ...(field === 'variant' && { field }) }
  }
  if (kind !== 'reserved' && kind !== 'repeat' && kind !== 'sold-out' && kind !== 'unavailable') return { kind }
  const { left, booked, stockRevision, isHeldBack, leftOfVariant, isVariantHeldBack } = countersIn(
    named(counters, slots),
  )
  const remaining = remainingOf(left)
  if (kind === 'repeat') {
    const held = named(details[kind], added)
    const units = integer(held.quantity, 'quantity')
    const facts = { ...variantOf(held.variant), ...packetIn(held.packet), ...messageIn(held.entry) }
    return { kind, quantity: units, ...facts, remaining, orderId }
  }
  if (kind === 'unavailable') return isHeldBack || isVariantHeldBack ? { kind, isHeldBack: true } : { kind }
  const soldOutVariant =
    leftOfVariant !== undefined && leftOfVariant <= 0 && !isVariantHeldBack ? { soldOutVariant: variant } : {}
  const rest = { remaining, stockRevision, booked, ...soldOutVariant }
  if (kind === 'reserved') {
    const taken = { ...message, ...packetIn(named(details[kind], added).packet) }
    return { kind, quantity, message: taken, ...rest, ...(left <= 0 && isHeldBack && { holdsBack: true }) }
  }
  const isShort = leftOfVariant !== undefined && leftOfVariant < quantity
  return { kind, ...rest, ...(isShort && shortVariantOf(variant, leftOfVariant)) }
}

function variantOf(word: unknown): { variant?: string } {
  if (word === undefined || word === null) return {}
  if (isVariantId(word)) return { variant: word }
  throw new UnexpectedReply('the variant of an order is not readable')
}

function packetIn(reply: unknown): { packet?: RedPacket } {
  if (reply === undefined || reply === null) return {}
  return { packet: jsonReply(packetShape, reply, 'a red packet') }
}

/** Ignores an unreadable message. The scheduled resend reports and dead-letters it. */
function messageIn(entry: unknown): { message?: OrderMessage } {
  const read = typeof entry === 'string' ? readJson(orderMessage, parseEntry(entry).body) : undefined
  return read?.ok ? { message: read.value } : {}
}

/** Returns the variant of which too few units are left, if known. */
function shortVariantOf(variant: string | undefined, left: number | undefined) {
  return variant !== undefined && left !== undefined ? { shortVariant: { variant, left: Math.max(0, left) } } : {}
}
