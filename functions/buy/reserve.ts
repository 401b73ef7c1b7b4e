/**
 * `POST /api/sales/{saleId}/orders` buys units, and `/packets` claims a red packet, which is an order of one unit: one
 * script reserves them, then the order message is dispatched. Once the script has succeeded, no later failure may
 * change the answer.
 */
import { purchaseApi } from '../../core/api/purchase.ts'
import { ordersLookup } from '../../core/buy/lookup.ts'
import { purchaseKey } from '../../core/buy/requests.ts'
import { parseIdempotencyKey } from '../../core/ids.ts'
import { sourceIn } from '../../core/orders/order-message.ts'
import { claimKey } from '../../core/packets/packet.ts'
import { type Purchase, type Reservation, reserve, type StockLeft } from '../../redis/buy/reserve.ts'
import type { Stocks } from '../../redis/command.ts'
import { invalid } from '../lib/http/answer.ts'
import { type Call, type Caller, createApp, forShoppers, on } from '../lib/http/app.ts'
import { deriveOrderId } from '../lib/order-id.ts'
import type { MetricName } from '../lib/telemetry.ts'
import { answerOfClaim, answerOfPurchase, type Purchased } from './answers.ts'
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
