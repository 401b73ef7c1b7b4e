/** The reservations that shoppers were answered; each must become an order. */

import { controlApi } from '../core/api/control.ts'
import { type OrderId, parseOrderId, type ShopperId } from '../core/ids.ts'
import type { Order } from '../core/order.ts'
import type { HttpAnswer } from '../functions/lib/http/answer.ts'
import { member } from './client.ts'

type ReservedOrder = { orderId: OrderId; shopperId: ShopperId; quantity: number }

export type ReservationRecord = {
  /** Every order that an answer called reserved. */
  reserved: Map<OrderId, ReservedOrder>
  /** Reservations that Redis lost while they were recorded nowhere else. */
  excused: Set<OrderId>
  /**
   * Redis lost data: from here on a shopper may reserve more than their limit. After a rollback,
   * which no client can detect, units may also be reserved twice.
   */
  redisLostData: (how: 'lost' | 'rolled back') => void
  /** False as long as Redis has all data. */
  hasLostData: () => boolean
  /** True when a reservation may end as this rejected order. */
  mayReject: (order: Order) => boolean
  /** Records an answer to a buy request of `shopperId` under `key`. */
  record: (shopperId: ShopperId, key: string, answer: HttpAnswer) => void
  /** Records the answer to a call that orders for many shoppers. */
  recordLines: (answer: HttpAnswer) => void
}

export function openReservationRecord(violated: (what: string) => void): ReservationRecord {
  const reserved = new Map<OrderId, ReservedOrder>()
  const byKey = new Map<string, OrderId>()
  const forgot = new Set<'lost' | 'rolled back'>()
  function add(shopperId: ShopperId, key: string, orderId: OrderId, quantity: number): void {
    const name = `${shopperId} ${key}`
    const before = byKey.get(name) ?? orderId
    byKey.set(name, before)
    if (before !== orderId) violated(`${name} was answered ${before} and then ${orderId} (I5)`)
    const first = reserved.get(orderId)
    // A quantity of 0 reports an order that was cancelled: not a reservation, nor a second one.
    if (quantity === 0) return
    if (first !== undefined && first.quantity !== quantity) {
      violated(`${orderId} was reserved with ${first.quantity} and then ${quantity} units (I5)`)
    }
    reserved.set(orderId, { orderId, shopperId, quantity })
  }
  return {
    reserved,
    excused: new Set(),
    redisLostData: (how) => void forgot.add(how),
    hasLostData: () => forgot.size > 0,
    mayReject: ({ reason }) =>
      reason === 'over-limit' ? forgot.size > 0 : reason === 'over-cap' && forgot.has('rolled back'),
    record(shopperId, key, answer) {
      if (answer.statusCode !== 202 && answer.statusCode !== 200) return
      const orderId = parseOrderId(member(answer, 'orderId'))
      if (orderId === undefined) return violated('a buy request was answered without an order id')
      add(shopperId, key, orderId, Number(member(answer, 'quantity')))
    },
    recordLines(answer) {
      if (answer.statusCode !== 200) return
      const { lines } = controlApi.reserveOrders.answer.parse(JSON.parse(answer.body))
      for (const { shopperId, key, orderId, quantity } of lines) {
        if (orderId !== null) add(shopperId, key, orderId, quantity)
      }
    },
  }
}
