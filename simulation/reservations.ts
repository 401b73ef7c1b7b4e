/** What the shop has said to shoppers, word for word: the other half of every promise that is checked. */

import { type OrderId, parseOrderId, type ShopperId } from '../core/ids.ts'
import type { Order } from '../core/order.ts'
import type { HttpAnswer } from '../functions/lib/http/answer.ts'
import { member } from './client.ts'

export type Promised = { orderId: OrderId; shopperId: ShopperId; quantity: number }

export type PromiseBook = {
  /** Every order that any answer said was reserved. */
  given: Map<OrderId, Promised>
  /** Reservations that Redis lost while their message was nowhere else. */
  excused: Set<OrderId>
  /**
   * Redis lost something it knew: from here on a shopper may be promised more than their limit. When it was rolled back, so that
   * nobody can notice, it may also promise units that are promised already.
   */
  redisForgot: (how: 'lost' | 'rolled back') => void
  /** True when a promise may end as this rejected order. */
  mayReject: (order: Order) => boolean
  /** Hears of an answer to a click of `shopperId` under `key`. */
  hear: (shopperId: ShopperId, key: string, answer: HttpAnswer) => void
}

export function openPromises(violated: (what: string) => void): PromiseBook {
  const given = new Map<OrderId, Promised>()
  const byKey = new Map<string, OrderId>()
  const forgot = new Set<'lost' | 'rolled back'>()
  return {
    given,
    excused: new Set(),
    redisForgot: (how) => void forgot.add(how),
    mayReject: ({ reason }) =>
      reason === 'over-limit' ? forgot.size > 0 : reason === 'over-cap' && forgot.has('rolled back'),
    hear(shopperId, key, answer) {
      if (answer.statusCode !== 202 && answer.statusCode !== 200) return
      const orderId = parseOrderId(member(answer, 'orderId'))
      const quantity = Number(member(answer, 'quantity'))
      if (orderId === undefined) return violated('a purchase was answered without an order id')
      const name = `${shopperId} ${key}`
      const before = byKey.get(name) ?? orderId
      byKey.set(name, before)
      if (before !== orderId) violated(`${name} was answered ${before} and then ${orderId} (I5)`)
      const first = given.get(orderId)
      // A quantity of 0 tells of an order that was given back: not a promise, and no second one either.
      if (quantity === 0) return
      if (first !== undefined && first.quantity !== quantity) {
        violated(`${orderId} was promised with ${first.quantity} and then ${quantity} units (I5)`)
      }
      given.set(orderId, { orderId, shopperId, quantity })
    },
  }
}
