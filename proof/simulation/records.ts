/** Records answers to shoppers, shops and staff, and checks that later answers agree with them. */
import { controlApi } from '../../core/api/control-answers.ts'
import { type IdempotencyKey, type OrderId, parseOrderId, type SaleId, type ShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import type { OrderUnits } from '../../core/sale/variants.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import type { AnsweredOrder } from '../invariants/snapshot.ts'
import { variantOrEmpty } from '../invariants/units.ts'
import { member } from './parts/requests.ts'

/** `variant` is empty in a sale without variants, undefined while no answer has named it. */
type AnsweredUnits = { quantity: number; variant: string | undefined }

/** `answered` has one entry, unless a rolled-back Redis reserved the same order again. */
type ReservedOrder = { orderId: OrderId; shopperId: ShopperId; answered: readonly AnsweredUnits[] }

export type ReservationRecord = ReturnType<typeof openReservationRecord>

export function openReservationRecord(violated: (what: string) => void) {
  /** Every order that an answer called reserved. */
  const reserved = new Map<OrderId, ReservedOrder>()
  const byKey = new Map<string, OrderId>()
  /** Orders whose message the queue refused at least once. */
  const unsent = new Set<OrderId>()
  /** Orders that Redis lost before they were recorded elsewhere. */
  const lost = new Set<OrderId>()
  /**
   * True for a lost order whose message the queue refused too, before or after the loss: a frozen function may send the
   * message of a unit that Redis has lost meanwhile.
   */
  const isExcused = (orderId: OrderId) => lost.has(orderId) && unsent.has(orderId)
  const losses = new Set<'lost' | 'rolled back'>()
  const mayReject = ({ reason }: Pick<Order, 'reason'>) =>
    reason === 'over-limit' ? losses.size > 0 : reason === 'over-cap' && losses.has('rolled back')
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
    if (same === undefined && answered.length > 0 && !losses.has('rolled back')) {
      violated(`${orderId} was reserved with ${answered.map(describeUnits)} and then ${describeUnits(units)} (I5)`)
    }
    const others = answered.filter((earlier) => earlier !== same)
    const variant = same?.variant ?? units.variant
    reserved.set(orderId, { ...order, answered: [...others, { ...units, variant }] })
  }
  return {
    reserved,
    ...{ unsent, lost, isExcused },
    /**
     * Redis lost data: from now on a shopper may reserve more than the limit. After a rollback, which no client can
     * detect, units may also be reserved twice, and a key may reserve other units than before.
     */
    redisLostData: (how: 'lost' | 'rolled back') => void losses.add(how),
    hasLostData: () => losses.size > 0,
    /** Returns the reserved orders for the invariants. */
    answered: (): AnsweredOrder[] =>
      [...reserved.values()].map(({ orderId, shopperId, answered }) => ({
        ...{ orderId, shopperId, units: answered, mayEnd: true },
        ...{ mayBeMissing: isExcused(orderId), mayBeRejected: mayReject },
      })),
    /** Records an answer to a buy request of `shopperId` under `key`, for `wanted`. */
    record(shopperId: ShopperId, key: string, answer: HttpAnswer, wanted: OrderUnits) {
      if (answer.statusCode !== 202 && answer.statusCode !== 200) return
      const orderId = parseOrderId(member(answer, 'orderId'))
      if (orderId === undefined) return violated('a buy request was answered without an order id')
      const [quantity, variant] = [Number(member(answer, 'quantity')), variantOrEmpty(member(answer, 'variant'))]
      if (answer.statusCode === 202 && variant !== variantOrEmpty(wanted.variant)) {
        violated(`${orderId} was reserved with ${variant} for ${variantOrEmpty(wanted.variant)} (I5)`)
      }
      add(key, { orderId, shopperId }, { quantity, variant })
    },
    /** Records the answer to an order that staff place for `shopperId` under `key`, for `wanted`. */
    recordPlaced(shopperId: ShopperId, key: string, answer: HttpAnswer, wanted: OrderUnits) {
      if (answer.statusCode !== 200) return
      const { orderId, quantity, code } = controlApi.reserveOrder.answer.parse(JSON.parse(answer.body))
      // A repeat has the variant of the first time.
      const variant = code === 'reserved' ? variantOrEmpty(wanted.variant) : undefined
      if (orderId !== null) add(key, { orderId, shopperId }, { quantity, variant })
    },
  }
}

/** True when two answers can describe the same units. */
function isSame(one: AnsweredUnits, other: AnsweredUnits): boolean {
  if (one.quantity !== other.quantity) return false
  return one.variant === undefined || other.variant === undefined || one.variant === other.variant
}

const describeUnits = ({ quantity, variant }: AnsweredUnits) => `${quantity} units ${variant ?? ''}`.trim()

/** `orderId` is the order of an answered confirmation; `isReleased` once a release was answered. */
export type Cart = { reference: string; orderId?: OrderId; isReleased?: boolean }

export type CartRecord = ReturnType<typeof openCartRecord>

export function openCartRecord(violated: (what: string) => void) {
  /** Carts by the order of the reservation that the shop received. */
  const carts = new Map<OrderId, Cart>()
  return {
    carts,
    /** Returns the cart of a reservation; creates it on the first call. */
    open(orderId: OrderId): Cart {
      const cart = carts.get(orderId) ?? { reference: `cart ${orderId}` }
      carts.set(orderId, cart)
      return cart
    },
    /** Records an answer to a confirmation, also a lost one. */
    confirmed(cart: Cart, answer: HttpAnswer) {
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

/** The coupon codes shown to shoppers, which must never change. */
export type CouponRecord = ReturnType<typeof openCouponRecord>

export function openCouponRecord(violated: (what: string) => void) {
  const seen = new Map<OrderId, readonly string[]>()
  return {
    seen,
    record(orderId: OrderId, answer: HttpAnswer) {
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

export type StatusRecord = ReturnType<typeof openStatusRecord>

const shutting: Readonly<Record<string, 'paused' | 'closed'>> = { pause: 'paused', close: 'closed' }
const opening = ['start', 'resume']

export function openStatusRecord() {
  let confirmed: 'paused' | 'closed' | undefined
  let requests = 0
  return {
    /**
     * Returns the answered state in which the sale accepts no orders. It applies until the marketer requests to sell
     * again, or until Redis loses data, which may roll the state back.
     */
    confirmed: () => confirmed,
    /**
     * Records a request of the marketer; call the returned function with the status of the answer, undefined when none
     * arrived.
     */
    request(action: string) {
      if (opening.includes(action)) {
        requests += 1
        confirmed = undefined
      }
      const before = requests
      return (status: number | undefined): void => {
        const state = shutting[action]
        if (state !== undefined && status !== undefined && status < 300 && before === requests) confirmed = state
      }
    },
    redisLostData(): void {
      requests += 1
      confirmed = undefined
    },
  }
}

/** Changes by visitors; each object is changed by one visitor only, who repeats the change until it is answered. */
export type VisitRecord = {
  /** Issuers of the shop's own customers; false once deleted. */
  issuers: Map<string, boolean>
  /** Further sales; false once deleted. */
  sales: Map<SaleId, boolean>
  /** Names of the shop by revision of its brand. */
  brands: Map<number, string>
  /** Shoppers on the block list; false once unblocked. */
  blocked: Map<string, boolean>
  /** The recipient of an order; undefined once the shopper has erased the address. */
  recipients: Map<OrderId, string | undefined>
  /** The email address of a shopper; undefined once it is erased. */
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
