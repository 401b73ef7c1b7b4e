/**
 * Buys units: one script reserves them, then the order message is dispatched. Once the script has
 * succeeded, no later failure may change the answer.
 */
import { purchaseKey } from '../../core/buy/buy-request.ts'
import type { OrderId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import { type Purchase, type Reservation, reserve } from '../../redis/buy/reserve.ts'
import type { StockLeft } from '../../redis/buy/sale-facts.ts'
import type { Stocks } from '../../redis/command.ts'
import { deriveOrderId } from '../lib/order-id.ts'
import type { MetricName } from '../lib/telemetry.ts'
import { type CompletePorts, countingDemand, dispatchDecided, reportToGate } from './complete-admission.ts'
import type { Queue } from './dispatch.ts'

/**
 * A buy request; `key` is its Idempotency-Key. `admission` is the epoch second in which the gate
 * counts the request; undefined when it counts none.
 */
export type WantedPurchase = Omit<Purchase, 'orderId' | 'now'> & {
  key: string | undefined
  admission: number | undefined
}

export type ReservePorts = {
  stock: Stocks
  queue: Queue<OrderMessage>
  clock: () => number
} & CompletePorts

/** The outcome, and the order id that a repeat finds. */
export type Purchased = { orderId: OrderId; reservation: Reservation }

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
  const orderId = deriveOrderId(saleId, wanted.shopperId, purchaseKey(key, wanted.startToken))
  const asked = reserve(ports.stock, { ...rest, orderId, now: ports.clock() })
  const reservation = await countingDemand(ports, wanted.saleId, asked)
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
