/**
 * The purchase: take the units in one script, then hand the order on. Once the script has said yes the promise
 * stands, and nothing after it may turn the yes into a no.
 */
import { purchaseKey } from '../../core/buy-request.ts'
import type { OrderId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/order-message.ts'
import type { Purchase, Reservation } from '../../redis/reserve.ts'
import type { MetricName } from '../lib/telemetry.ts'
import { type CompletePorts, publishToGate } from './complete-admission.ts'
import { type DispatchPorts, dispatch } from './dispatch.ts'
import { deriveOrderId } from './order-id.ts'

/**
 * What a shopper asks for; `key` is its Idempotency-Key. `admission` is the epoch second in which the gate counts the click,
 * undefined where it counts none.
 */
export type WantedPurchase = Omit<Purchase, 'orderId' | 'now'> & {
  key: string | undefined
  admission: number | undefined
}

/** Throws RedisUnavailable when it is unknown whether the units were taken; asking again is safe. */
export type Stock = { take: (purchase: Purchase) => Promise<Reservation> }

export type Ports = { stock: Stock; clock: () => number } & DispatchPorts<OrderMessage, OrderId> &
  CompletePorts

/** What became of the purchase, and the id under which it can be asked for again. */
export type Purchased = { orderId: OrderId; reservation: Reservation }

/** What is counted for an answer; `Refused` for all others. */
const counts: Partial<Record<Reservation['kind'], MetricName>> = {
  reserved: 'Reserved',
  'sold-out': 'SoldOut',
  repeat: 'Repeated',
  'too-many-requests': 'Throttled',
}

export async function purchase(ports: Ports, wanted: WantedPurchase): Promise<Purchased> {
  const { key, admission, ...rest } = wanted
  const { saleId } = wanted
  const orderId = deriveOrderId(saleId, wanted.shopperId, purchaseKey(key, wanted.startToken))
  const reservation = await ports.stock.take({ ...rest, orderId, now: ports.clock() })
  ports.meter.count(counts[reservation.kind] ?? 'Refused')
  const left = 'booked' in reservation ? reservation : undefined
  await Promise.all([
    reservation.kind === 'reserved' && dispatchOrder(ports, reservation.message),
    publishToGate(ports, { saleId, admission, left }),
  ])
  return { orderId, reservation }
}

function dispatchOrder(ports: Ports, message: OrderMessage): Promise<void> {
  const { orderId, saleId, requestId } = message
  return dispatch(ports, { message, saleId, id: orderId, facts: { orderId, requestId } })
}
