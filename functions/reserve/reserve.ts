/**
 * The purchase: take the units in one script, then hand the order on. Once the script has said yes the promise
 * stands: the same script put the message into the outbox, so a queue that is down costs time and never an
 * order (O4). Nothing after the script may turn a yes into a no.
 */
import { purchaseKey } from '../../core/buy-request.ts'
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/order-message.ts'
import type { StockSeen } from '../../redis/redeem.ts'
import type { Purchase, Reservation } from '../../redis/reserve.ts'
import { errorFacts, type MetricName, type Telemetry } from '../telemetry.ts'
import { within } from '../within.ts'
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

/** Resolves once the message is safely queued. */
export type OrderQueue = { send: (message: OrderMessage) => Promise<void> }

/** Forgets a message that is known to be queued. */
export type Outbox = { acknowledge: (saleId: SaleId, orderId: OrderId) => Promise<void> }

/** Tells the gate that nothing was left as of stock revision `restocks`. */
export type SoldOutSign = { raise: (saleId: SaleId, restocks: number) => Promise<void> }

/** Hears once of every click that the gate let through and that is decided, and what it saw of a limited stock. */
export type AdmissionDesk = {
  redeem: (saleId: SaleId, admission: number, seen: StockSeen | undefined) => Promise<void>
}

export type Ports = {
  stock: Stock
  queue: OrderQueue
  outbox: Outbox
  soldOut: SoldOutSign
  admissions: AdmissionDesk
  clock: () => number
} & Telemetry

/** What became of the purchase, and the id under which it can be asked for again. */
export type Purchased = { orderId: OrderId; reservation: Reservation }

/** What is counted for an answer; `Refused` for all others. */
const counts: Partial<Record<Reservation['kind'], MetricName>> = {
  reserved: 'Reserved',
  'sold-out': 'SoldOut',
  repeat: 'Repeated',
  'too-many-requests': 'Throttled',
}

/**
 * How long an answer waits for the gate to hear of it, ms. It does wait, because a function that has answered may stand still
 * before it has told; but what the gate is not told it finds out in other ways, so a dark one need hardly delay anybody.
 */
const gatePatienceMs = 150

export async function purchase(ports: Ports, wanted: WantedPurchase): Promise<Purchased> {
  const { key, admission, ...rest } = wanted
  const { saleId } = wanted
  const orderId = deriveOrderId(saleId, wanted.shopperId, purchaseKey(key, wanted.startToken))
  const reservation = await ports.stock.take({ ...rest, orderId, now: ports.clock() })
  ports.meter.count(counts[reservation.kind] ?? 'Refused')
  const isReserved = reservation.kind === 'reserved'
  await Promise.all([
    isReserved && handOn(ports, reservation.message),
    (isReserved || reservation.kind === 'sold-out') && signWhenSoldOut(ports, saleId, reservation),
    admission !== undefined && redeem(ports, saleId, admission, reservation),
  ])
  return { orderId, reservation }
}

/** A failure here leaves the message in the outbox, from where `reconcile` sends it again (O5). */
async function handOn({ queue, outbox, meter, log }: Ports, message: OrderMessage): Promise<void> {
  const { orderId, saleId, requestId } = message
  try {
    await queue.send(message)
  } catch (error) {
    meter.count('SendFailed')
    log.warn('order left in the outbox', { orderId, requestId, ...errorFacts(error) })
    return
  }
  try {
    await outbox.acknowledge(saleId, orderId)
  } catch (error) {
    meter.count('AcknowledgeFailed')
    log.warn('order sent but still in the outbox', { orderId, requestId, ...errorFacts(error) })
  }
}

/** Without it the gate waits until the click must have been decided. */
async function redeem(
  { admissions, meter, log }: Ports,
  saleId: SaleId,
  admission: number,
  reservation: Reservation,
): Promise<void> {
  try {
    await within(gatePatienceMs, admissions.redeem(saleId, admission, seenBy(reservation)))
  } catch (error) {
    meter.count('GateUpdateFailed')
    log.warn('the gate was not told that a click was decided', { saleId, ...errorFacts(error) })
  }
}

function seenBy(reservation: Reservation): StockSeen | undefined {
  if (!('booked' in reservation) || reservation.remaining === -1) return undefined
  const { booked, restocks } = reservation
  return { booked, restocks }
}

/** The gate only saves work by knowing; when it cannot be told, the script still answers every click. */
async function signWhenSoldOut(
  { soldOut, meter, log }: Ports,
  saleId: SaleId,
  { remaining, restocks }: { remaining: number; restocks: number },
): Promise<void> {
  if (remaining !== 0) return
  try {
    await within(gatePatienceMs, soldOut.raise(saleId, restocks))
  } catch (error) {
    meter.count('GateUpdateFailed')
    log.warn('the gate was not told that a sale is sold out', { saleId, ...errorFacts(error) })
  }
}
