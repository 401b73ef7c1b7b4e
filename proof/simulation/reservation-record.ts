/** The reservations that shoppers were answered; each must become an order. */

import { controlApi } from '../../core/api/control-answers.ts'
import { type OrderId, parseOrderId, type ShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import type { OrderUnits } from '../../core/sale/variants.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import type { AnsweredOrder } from '../invariants/snapshot.ts'
import { wordOf } from '../invariants/units.ts'
import { member } from './client.ts'

/** `variant` is empty in a sale without variants, undefined while no answer has said it. */
type AnsweredUnits = { quantity: number; variant: string | undefined }

/** `answered` has one entry, unless a Redis that was rolled back answered the same order again. */
type ReservedOrder = { orderId: OrderId; shopperId: ShopperId; answered: readonly AnsweredUnits[] }

export type ReservationRecord = {
  /** Every order that an answer called reserved. */
  reserved: Map<OrderId, ReservedOrder>
  /** Reservations that Redis lost while they were recorded nowhere else. */
  excused: Set<OrderId>
  /**
   * Redis lost data: from here on a shopper may reserve more than their limit. After a rollback,
   * which no client can detect, units may also be reserved twice, and a key for other units than
   * before.
   */
  redisLostData: (how: 'lost' | 'rolled back') => void
  /** False as long as Redis has all data. */
  hasLostData: () => boolean
  /** The reserved orders, as the invariants need them. */
  answered: () => AnsweredOrder[]
  /** Records an answer to a buy request of `shopperId` under `key`, for `wanted`. */
  record: (shopperId: ShopperId, key: string, answer: HttpAnswer, wanted: OrderUnits) => void
  /** Records the answer to an order that staff place for `shopperId` under `key`, for `wanted`. */
  recordPlaced: (shopperId: ShopperId, key: string, answer: HttpAnswer, wanted: OrderUnits) => void
}

export function openReservationRecord(violated: (what: string) => void): ReservationRecord {
  const reserved = new Map<OrderId, ReservedOrder>()
  const byKey = new Map<string, OrderId>()
  const excused = new Set<OrderId>()
  const forgot = new Set<'lost' | 'rolled back'>()
  const mayReject = ({ reason }: Pick<Order, 'reason'>) =>
    reason === 'over-limit' ? forgot.size > 0 : reason === 'over-cap' && forgot.has('rolled back')
  function add(key: string, order: Omit<ReservedOrder, 'answered'>, units: AnsweredUnits): void {
    const { orderId, shopperId } = order
    const name = `${shopperId} ${key}`
    const before = byKey.get(name) ?? orderId
    byKey.set(name, before)
    if (before !== orderId) violated(`${name} was answered ${before} and then ${orderId} (I5)`)
    // A quantity of 0 reports an order that was cancelled: not a reservation, nor a second one.
    if (units.quantity === 0) return
    const answered = reserved.get(orderId)?.answered ?? []
    const same = answered.find((earlier) => isSame(earlier, units))
    if (same === undefined && answered.length > 0 && !forgot.has('rolled back')) {
      violated(`${orderId} was reserved with ${answered.map(inWords)} and then ${inWords(units)} (I5)`)
    }
    const others = answered.filter((earlier) => earlier !== same)
    const variant = same?.variant ?? units.variant
    reserved.set(orderId, { ...order, answered: [...others, { ...units, variant }] })
  }
  return {
    reserved,
    excused,
    redisLostData: (how) => void forgot.add(how),
    hasLostData: () => forgot.size > 0,
    answered: () =>
      [...reserved.values()].map(({ orderId, shopperId, answered }) => ({
        ...{ orderId, shopperId, units: answered, mayEnd: true },
        ...{ mayBeMissing: excused.has(orderId), mayBeRejected: mayReject },
      })),
    record(shopperId, key, answer, wanted) {
      if (answer.statusCode !== 202 && answer.statusCode !== 200) return
      const orderId = parseOrderId(member(answer, 'orderId'))
      if (orderId === undefined) return violated('a buy request was answered without an order id')
      const [quantity, variant] = [Number(member(answer, 'quantity')), wordOf(member(answer, 'variant'))]
      if (answer.statusCode === 202 && variant !== wordOf(wanted.variant)) {
        violated(`${orderId} was reserved with ${variant} for ${wordOf(wanted.variant)} (I5)`)
      }
      add(key, { orderId, shopperId }, { quantity, variant })
    },
    recordPlaced(shopperId, key, answer, wanted) {
      if (answer.statusCode !== 200) return
      const { orderId, quantity, code } = controlApi.reserveOrder.answer.parse(JSON.parse(answer.body))
      // A repeat has the variant of the first time.
      const variant = code === 'reserved' ? wordOf(wanted.variant) : undefined
      if (orderId !== null) add(key, { orderId, shopperId }, { quantity, variant })
    },
  }
}

/** Whether two answers can be of the same units. */
function isSame(one: AnsweredUnits, other: AnsweredUnits): boolean {
  if (one.quantity !== other.quantity) return false
  return one.variant === undefined || other.variant === undefined || one.variant === other.variant
}

const inWords = ({ quantity, variant }: AnsweredUnits) => `${quantity} units ${variant ?? ''}`.trim()
