/** Builds the first record of an order from its reservation and its sale's offer. */
import { randomBytes } from 'node:crypto'
import { priceOf } from '../../core/money.ts'
import { type CouponCode, couponBytes, couponOf } from '../../core/orders/coupon.ts'
import type { Order, RejectReason } from '../../core/orders/order.ts'
import { historyEntry } from '../../core/orders/order-life.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import type { Offer } from './offers.ts'

export type ReservedUnits = Pick<
  OrderMessage,
  'orderId' | 'saleId' | 'shopperId' | 'quantity' | 'variant' | 'packet' | 'source' | 'reservedAt'
>

/** Returns new, unguessable codes. */
export type MakeCoupons = (quantity: number) => readonly CouponCode[]

/**
 * Generates coupon codes from the system's random source. Nothing checks them for collisions, which are too improbable: by
 * the birthday bound, n codes of b random bits collide with a probability of at most n (n - 1) / 2^(b + 1). For the
 * largest sale, n = 10,000,000, and b = 100 that is 10^14 / 2^101 = 4 * 10^-17.
 */
export const generateCoupons: MakeCoupons = (quantity) => {
  const bytes = randomBytes(quantity * couponBytes)
  return Array.from({ length: quantity }, (_, index) =>
    couponOf(bytes.subarray(index * couponBytes, (index + 1) * couponBytes)),
  )
}

/**
 * Returns the order as it is written at `now` (epoch ms). The time to pay starts with the write, so a long queue does not
 * shorten it. A free order is fulfilled at once. An order of coupons contains its codes: the same transaction writes them,
 * so a repeat, which is dropped as a duplicate, never changes a code.
 * @throws RangeError when the amount is not exact
 */
export function newOrder(reservation: ReservedUnits, offer: Offer, now: number, makeCoupons: MakeCoupons): Order {
  const order = orderWithoutCoupons(reservation, offer, now)
  return offer.kind === 'coupon' ? { ...order, coupons: makeCoupons(order.quantity) } : order
}

function orderWithoutCoupons(reservation: ReservedUnits, offer: Offer, now: number): Order {
  const { orderId, saleId, shopperId, quantity, variant, packet, source, reservedAt } = reservation
  const amount = priceOf(quantity, offer.price)
  const status = amount === 0 ? 'fulfilled' : 'awaiting-payment'
  const payBy = now + offer.paymentWindowSeconds * 1000
  return {
    orderId,
    saleId,
    shopperId,
    quantity,
    ...(variant && { variant }),
    ...(packet && { packet }),
    ...(source && { source }),
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

/** Returns the record of a reservation that never becomes an order. @throws RangeError when the amount is not exact */
export function rejectedOrder(reservation: ReservedUnits, offer: Offer, reason: RejectReason, now: number): Order {
  return toRejected(orderWithoutCoupons(reservation, offer, now), reason)
}

/** Turns an order that is not written yet into a rejected one, without coupon codes. */
export function toRejected(order: Order, reason: RejectReason): Order {
  const { coupons: _neverIssued, ...rest } = order
  const { writtenAt, history } = order
  const status = 'rejected'
  return { ...rest, status, reason, history: [...history.slice(0, 1), historyEntry(writtenAt, status, status)] }
}
