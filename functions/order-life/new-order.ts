/** The first record of an order, made of its reservation and the offer it was reserved under. */
import { priceOf } from '../../core/money.ts'
import type { Order, RejectReason } from '../../core/order.ts'
import { historyEntry } from '../../core/order-life.ts'
import type { OrderMessage } from '../../core/order-message.ts'
import type { Offer } from './offer.ts'

export type Reservation = Pick<OrderMessage, 'orderId' | 'saleId' | 'shopperId' | 'quantity' | 'reservedAt'>

/**
 * The order as it is written at `now` (epoch ms). The time to pay starts with the writing, so that a queue that is
 * long takes none of it; an order that costs nothing is done at once. Throws RangeError when the amount is not exact.
 */
export function newOrder(reservation: Reservation, offer: Offer, now: number): Order {
  const { orderId, saleId, shopperId, quantity, reservedAt } = reservation
  const amount = priceOf(quantity, offer.price)
  const status = amount === 0 ? 'fulfilled' : 'awaiting-payment'
  const payBy = now + offer.paymentWindowSeconds * 1000
  return {
    orderId,
    saleId,
    shopperId,
    quantity,
    amount,
    currency: offer.currency,
    status,
    reservedAt,
    writtenAt: now,
    payBy,
    cancelAt: payBy,
    history: [historyEntry(reservedAt, 'reserved', 'reserved'), historyEntry(now, 'written', status)],
  }
}

/** The record of a reservation that never becomes an order. Throws RangeError when the amount is not exact. */
export function rejectedOrder(
  reservation: Reservation,
  offer: Offer,
  reason: RejectReason,
  now: number,
): Order {
  return rejected(newOrder(reservation, offer, now), reason)
}

/** The same order, not yet written, as one that does not stand: it was reserved, and nothing else came of it. */
export function rejected(order: Order, reason: RejectReason): Order {
  const { writtenAt, history } = order
  const status = 'rejected'
  return {
    ...order,
    status,
    reason,
    history: [...history.slice(0, 1), historyEntry(writtenAt, status, status)],
  }
}
