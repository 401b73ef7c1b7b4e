/** Runs reserve.lua, the script behind every buy request that reaches Redis. */
import type { OrderId, SaleId, ShopperId } from '../core/ids.ts'
import type { OrderMessage } from '../core/order-message.ts'
import { kindOfLuaCode, type ReserveKind } from '../core/outcome.ts'
import { sortableTime } from '../core/sortable-time.ts'
import type { Commander } from './command.ts'
import { UnexpectedReply } from './errors.ts'
import { stockKeys } from './keys.ts'
import { integer } from './reply.ts'
import source from './reserve.lua'
import { defineScript } from './script.ts'

/**
 * Ended orders (cancelled, unpaid, rejected) of one shopper in one sale, after which the shopper
 * can buy no more there. The script keeps each for ever, so that its request finds it; the limit
 * bounds what that costs every further call. reserve.lua has the same number.
 */
export const maxEndedOrders = 30

export const reserveScript = defineScript('reserve', source)

/**
 * A request for `quantity` units. `now` is epoch ms; `startToken` is the one the page received.
 */
export type Purchase = {
  orderId: OrderId
  saleId: SaleId
  shopperId: ShopperId
  quantity: number
  startToken: string
  now: number
  requestId: string
}

type StockLeft = { remaining: number; stockRevision: number; booked: number }

/**
 * The outcome. `remaining` is -1 for unlimited stock; `stockRevision` is the revision of the stock,
 * and `booked` how many of its units are taken now. `message`, as JSON, is byte for byte what waits
 * in the outbox.
 */
export type Reservation =
  | ({ kind: 'reserved'; quantity: number; message: OrderMessage } & StockLeft)
  | { kind: 'repeat'; quantity: number; remaining: number; orderId: OrderId }
  | ({ kind: 'sold-out' } & StockLeft)
  | { kind: 'too-many-requests'; retryAfterMs: number }
  | { kind: Exclude<ReserveKind, 'reserved' | 'repeat' | 'sold-out' | 'too-many-requests'> }

/** The arguments of reserve.lua, in order. */
export function reserveCall(purchase: Purchase): { keys: string[]; args: string[] } {
  const { stock, buyers, holds, outbox } = stockKeys(purchase.saleId)
  return {
    keys: [stock, buyers, holds, outbox],
    args: [
      purchase.shopperId,
      ` ${purchase.startToken} `,
      sortableTime(purchase.now),
      String(purchase.quantity),
      purchase.orderId,
      JSON.stringify(gateFactsOf(purchase)).slice(1, -1),
    ],
  }
}

/**
 * The message members that the script does not use, as text, so that it needs no JSON escaping. The
 * script writes the message, because the start token belongs to one epoch that only the stock
 * knows.
 */
function gateFactsOf({ saleId, now, requestId }: Purchase) {
  return { saleId, reservedAt: now, requestId }
}

/**
 * Reserves the units, or says why not (S1-S9, R2). Safe to repeat: the same order id finds its own
 * reservation.
 * @throws RedisUnavailable when the outcome is unknown, UnexpectedReply
 */
export async function reserve(redis: Commander, purchase: Purchase): Promise<Reservation> {
  const { keys, args } = reserveCall(purchase)
  return reservationOf(purchase, await reserveScript.run(redis, keys, args))
}

function reservationOf(purchase: Purchase, [code, ...facts]: unknown[]): Reservation {
  const { orderId, shopperId, quantity } = purchase
  const kind = kindOfLuaCode(integer(code, 'reserve code'))
  if (kind === undefined) throw new UnexpectedReply(`reserve replied with the unknown code ${code}`)
  const count = (at: number, what: string) => integer(facts[at], what)
  if (kind === 'reserved') {
    const message = { orderId, shopperId, quantity, ...gateFactsOf(purchase), epoch: count(2, 'epoch') }
    return { kind, quantity, ...leftOf(count, 3), message }
  }
  if (kind === 'repeat') {
    return { kind, quantity: count(1, 'quantity'), remaining: count(0, 'remaining'), orderId }
  }
  if (kind === 'sold-out') return { kind, ...leftOf(count, 2) }
  if (kind === 'too-many-requests') return { kind, retryAfterMs: count(0, 'wait') }
  return { kind }
}

/** `bookedAt` is where the count of booked units stands; the others stand first. */
function leftOf(count: (at: number, what: string) => number, bookedAt: number): StockLeft {
  const booked = count(bookedAt, 'booked')
  return { remaining: count(0, 'remaining'), stockRevision: count(1, 'stockRevision'), booked }
}
