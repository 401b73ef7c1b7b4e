/** What shoppers, shops and staff were answered, each with what must stay true of it. */
import { controlApi } from '../../core/api/control-answers.ts'
import { type IdempotencyKey, type OrderId, parseOrderId, type SaleId, type ShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import type { OrderUnits } from '../../core/sale/variants.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import type { AnsweredOrder } from '../invariants/snapshot.ts'
import { wordOf } from '../invariants/units.ts'
import { member } from './parts/requests.ts'

/** `variant` is empty in a sale without variants, undefined while no answer has said it. */
type AnsweredUnits = { quantity: number; variant: string | undefined }

/** `answered` has one entry, unless a Redis that was rolled back answered the same order again. */
type ReservedOrder = { orderId: OrderId; shopperId: ShopperId; answered: readonly AnsweredUnits[] }

export type ReservationRecord = {
  /** Every order that an answer called reserved. */
  reserved: Map<OrderId, ReservedOrder>
  /** Orders whose message the queue did not take at least once. */
  unsent: Set<OrderId>
  /** Orders that Redis lost while they were recorded nowhere else. */
  lost: Set<OrderId>
  /**
   * True for a lost order whose message the queue did not take either, before the loss or after it: a frozen function sends
   * the message of a unit that Redis has lost meanwhile.
   */
  isExcused: (orderId: OrderId) => boolean
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
  const unsent = new Set<OrderId>()
  const lost = new Set<OrderId>()
  const isExcused = (orderId: OrderId) => lost.has(orderId) && unsent.has(orderId)
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
    ...{ unsent, lost, isExcused },
    redisLostData: (how) => void forgot.add(how),
    hasLostData: () => forgot.size > 0,
    answered: () =>
      [...reserved.values()].map(({ orderId, shopperId, answered }) => ({
        ...{ orderId, shopperId, units: answered, mayEnd: true },
        ...{ mayBeMissing: isExcused(orderId), mayBeRejected: mayReject },
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

/** `orderId` is the order that a confirmation was answered with; `isReleased` once the shop was answered so. */
export type Cart = { reference: string; orderId?: OrderId; isReleased?: boolean }

export type CartRecord = {
  /** By the order of the reservation that the shop received. */
  carts: ReadonlyMap<OrderId, Cart>
  /** The shop has received the reservation of an order; again finds its cart. */
  open: (orderId: OrderId) => Cart
  /** Records an answer to a confirmation, also one that the shop never got. */
  confirmed: (cart: Cart, answer: HttpAnswer) => void
}

export function openCartRecord(violated: (what: string) => void): CartRecord {
  const carts = new Map<OrderId, Cart>()
  return {
    carts,
    open(orderId) {
      const cart = carts.get(orderId) ?? { reference: `cart ${orderId}` }
      carts.set(orderId, cart)
      return cart
    },
    confirmed(cart, answer) {
      if (answer.statusCode !== 200) return
      const orderId = parseOrderId(member(answer, 'orderId'))
      if (orderId === undefined) return violated('a confirmation was answered without an order id')
      const before = cart.orderId ?? orderId
      if (before !== orderId) violated(`${cart.reference} has ${before} and then ${orderId} (I5)`)
      if (member(answer, 'reference') !== cart.reference)
        violated(`${orderId} was confirmed for ${member(answer, 'reference')}, not ${cart.reference} (I5)`)
      cart.orderId = orderId
    },
  }
}

/** The coupon codes shown to shoppers: a code must never change once it was shown. */
export type CouponRecord = {
  seen: ReadonlyMap<OrderId, readonly string[]>
  record: (orderId: OrderId, answer: HttpAnswer) => void
}

export function openCouponRecord(violated: (what: string) => void): CouponRecord {
  const seen = new Map<OrderId, readonly string[]>()
  return {
    seen,
    record(orderId, answer) {
      if (answer.statusCode !== 200) return
      const codes = member(answer, 'coupons')
      const isStanding = member(answer, 'status') === 'fulfilled'
      if (isStanding !== Array.isArray(codes)) {
        violated(
          `${orderId} ${isStanding ? 'is fulfilled and shows no codes' : 'shows codes and is not fulfilled'} (coupons)`,
        )
      }
      if (!Array.isArray(codes)) return
      const before = seen.get(orderId)
      const shown = codes.map(String)
      if (before !== undefined && before.join() !== shown.join()) {
        violated(`${orderId} showed ${before.join()} and then ${shown.join()} (coupons)`)
      }
      seen.set(orderId, shown)
    },
  }
}

/**
 * `confirmed` is the state in which the sale accepts no orders. It holds from its answer until the
 * marketer asks to sell again, or until Redis loses data: that may roll the state back.
 */
export type StatusRecord = {
  confirmed: () => 'paused' | 'closed' | undefined
  /**
   * The marketer requests `action`; call the result with the status of the answer, undefined when
   * none arrived.
   */
  request: (action: string) => (status: number | undefined) => void
  redisLostData: () => void
}

const shutting: Readonly<Record<string, 'paused' | 'closed'>> = { pause: 'paused', close: 'closed' }
const opening = ['start', 'resume']

export function openStatusRecord(): StatusRecord {
  let confirmed: 'paused' | 'closed' | undefined
  let requests = 0
  return {
    confirmed: () => confirmed,
    request(action) {
      if (opening.includes(action)) {
        requests += 1
        confirmed = undefined
      }
      const before = requests
      return (status) => {
        const state = shutting[action]
        if (state !== undefined && status !== undefined && status < 300 && before === requests) confirmed = state
      }
    },
    redisLostData() {
      requests += 1
      confirmed = undefined
    },
  }
}

/** Each change is made by one visitor alone, and repeated until it is answered. */
export type VisitRecord = {
  /** Issuers of the shop's own customers, and whether each is there. */
  issuers: Map<string, boolean>
  /** Further sales, and whether each is there or was deleted. */
  sales: Map<SaleId, boolean>
  /** The name of the shop by the revision of its brand. */
  brands: Map<number, string>
  /** The shoppers whom a marketer has blocked. */
  blocked: Map<string, boolean>
  /** The person an order is sent to; undefined once the shopper has erased the address. */
  recipients: Map<OrderId, string | undefined>
  /** The e-mail address of a shopper; undefined once it is erased. */
  emails: Map<ShopperId, string | undefined>
  /** Redemptions of coupons, by `redemptionName`. */
  redemptions: Map<string, AnsweredRedemption>
}

type AnsweredRedemption = {
  orderId: OrderId
  code: string
  till: string
  key: IdempotencyKey
  redeemedAt: number
  isUndone: boolean
}

export function openVisitRecord(): VisitRecord {
  return {
    issuers: new Map(),
    sales: new Map(),
    brands: new Map(),
    blocked: new Map(),
    recipients: new Map(),
    emails: new Map(),
    redemptions: new Map(),
  }
}

export function redemptionName({ till, key, code }: Pick<AnsweredRedemption, 'till' | 'key' | 'code'>): string {
  return `${till} ${key} ${code}`
}
