/**
 * `POST /api/control/coupons/{code}/redeem` and `/undo`, for tills and web shops: redeems a coupon exactly once, and undoes the
 * redemption within a short time. The order decides (core/orders/redemption.ts): a redemption is a step of its life, like a
 * cancellation. A shop key identifies the caller, without a session. An unknown code and another shop's code cost the same
 * reads.
 */
import type { AnswerOf } from '../../core/api/operation.ts'
import { redeemApi } from '../../core/api/shop-calls.ts'
import { type IdempotencyKey, type OrderId, parseIdempotencyKey } from '../../core/ids.ts'
import { setBounded } from '../../core/lib/bounded-map.ts'
import { type CouponCode, formatCoupon } from '../../core/orders/coupon.ts'
import type { Order, Redemption } from '../../core/orders/order.ts'
import type { LifeEvent } from '../../core/orders/order-life.ts'
import { type RedemptionFault, redemptionOf } from '../../core/orders/redemption.ts'
import { shopAddressHeader } from '../../core/orders/shop-key.ts'
import { problem } from '../../core/outcome.ts'
import { type RefusalReason, type RefusalValues, refusalText } from '../../core/refusals.ts'
import { type HttpAnswer, invalid, problemAnswer } from '../lib/http/answer.ts'
import { type Call, createApp, on } from '../lib/http/app.ts'
import { orderOfCoupon } from '../table/orders/coupon-orders.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import { type ChangeOrderPorts, changeOrder } from './change-orders.ts'
import type { Offers } from './offers.ts'
import { forShops } from './shop-auth.ts'
import type { ShopKeyDigests } from './shop-keys.ts'

/** `undoMs` is how long a redemption can be undone. */
export type RedeemPorts = ChangeOrderPorts & { offers: Offers; undoMs: number }

/** A request of a shop. `shop` is the name of its shop key, `key` the idempotency key of the redemption. */
export type CouponRequest = { code: CouponCode; shop: string; key: IdempotencyKey }

/** `unknown`: no order has the code. */
export type RedeemResult =
  | { kind: 'done'; orderId: OrderId; redemption: Redemption }
  | { kind: 'refused'; fault: RedemptionFault }
  | { kind: 'unknown' }

/** Redeems the coupon. Repeatable. @throws what `changeOrder` and the ports throw */
export async function redeemCoupon(
  ports: RedeemPorts,
  { reference, ...name }: CouponRequest & { reference?: string | undefined },
): Promise<RedeemResult> {
  const order = await findOrderOfCoupon(ports, name.code)
  if (order === undefined) return { kind: 'unknown' }
  const offer = await ports.offers.find(order.saleId)
  if (offer === undefined) throw new Error(`${order.orderId} has coupons of a sale that does not exist`)
  const request = { ...name, ...(reference !== undefined && { reference }), ...offer.coupons }
  return change(ports, order.orderId, name, { kind: 'coupon-redeemed', ...request })
}

/** Undoes the redemption that the shop made under `key`. Repeatable. @throws as `redeemCoupon` does */
export async function undoRedemption(ports: RedeemPorts, request: CouponRequest): Promise<RedeemResult> {
  const order = await findOrderOfCoupon(ports, request.code)
  if (order === undefined) return { kind: 'unknown' }
  return change(ports, order.orderId, request, { kind: 'redemption-undone', ...request, undoMs: ports.undoMs })
}

async function findOrderOfCoupon({ table }: RedeemPorts, code: CouponCode): Promise<Order | undefined> {
  const orderId = await orderOfCoupon(table, code)
  const order = orderId && (await findWrittenOrder(table, orderId))
  return order?.coupons?.includes(code) ? order : undefined
}

async function change(
  ports: RedeemPorts,
  orderId: OrderId,
  request: CouponRequest,
  event: LifeEvent,
): Promise<RedeemResult> {
  const taken = await changeOrder(ports, orderId, event)
  if (taken.kind === 'refused' && taken.fault !== undefined) return { kind: 'refused', fault: taken.fault }
  const redemption = 'order' in taken ? redemptionOf(taken.order, request) : undefined
  if (redemption === undefined) throw new Error(`${orderId} answered ${event.kind} with ${taken.kind}`)
  if (taken.kind === 'moved') ports.log.info('coupon changed', { orderId, what: event.kind, shop: request.shop })
  return { kind: 'done', orderId, redemption }
}

/** `misses` counts unknown codes by shop key and address. */
export type RedeemHttpPorts = RedeemPorts & { shopKeys: ShopKeyDigests; misses: MissThrottle }

/** The limit of unknown codes per key, address and minute. A person mistypes a few. */
export const missLimit = { limit: 20, windowMs: 60_000 }

/** A call of a shop about a coupon. */
type ShopCall = { caller: string; params: { code: CouponCode }; headers: Readonly<Record<string, string | undefined>> }

const routes = [
  on(
    redeemApi.redeem,
    (ports: RedeemHttpPorts, { body: { reference }, ...call }: Call<typeof redeemApi.redeem, string>) =>
      answer(ports, call, (asked) => redeemCoupon(ports, { ...asked, reference })),
  ),
  on(redeemApi.undoRedemption, (ports: RedeemHttpPorts, call: ShopCall) =>
    answer(ports, call, (asked) => undoRedemption(ports, asked)),
  ),
]

/** Answers requests of shops, which their keys identify. */
export const redeemApp = (ports: RedeemHttpPorts) => createApp(ports, routes, forShops(ports.shopKeys))

async function answer(
  ports: RedeemHttpPorts,
  { caller: shop, params: { code }, headers }: ShopCall,
  change: (asked: CouponRequest) => Promise<RedeemResult>,
): Promise<AnswerOf<typeof redeemApi.redeem> | HttpAnswer> {
  const key = parseIdempotencyKey(headers['idempotency-key'])
  if (key === undefined) {
    const detail = 'Send an Idempotency-Key of 1 to 64 letters, digits or _ . : -'
    return invalid('Idempotency-Key', detail)
  }
  const client = `${shop} ${headers[shopAddressHeader] ?? ''}`
  const retryAfterSeconds = ports.misses.waitSeconds(client)
  if (retryAfterSeconds > 0) {
    const detail = `Too many unknown codes. Try again in ${retryAfterSeconds} s.`
    return problemAnswer(problem('too-many-requests', detail, { retryAfterSeconds }))
  }
  const outcome = await change({ code, shop, key })
  if (outcome.kind === 'unknown') {
    ports.misses.add(client)
    return problemAnswer(problem('not-found', 'No coupon has this code.'))
  }
  if (outcome.kind === 'refused') return faultAnswer(outcome.fault, shop)
  const { code: _, shop: _own, key: _known, at, reference, undoneAt } = outcome.redemption
  return {
    code: formatCoupon(code),
    orderId: outcome.orderId,
    redeemedAt: at,
    ...(reference !== undefined && { reference }),
    ...(undoneAt !== undefined && { undoneAt }),
  }
}

function faultAnswer(fault: RedemptionFault, shop: string): HttpAnswer {
  const refused = { reason: reasons[fault.kind], values: valuesOf(fault, shop) }
  return problemAnswer(problem('conflict', refusalText(refused), refused))
}

const reasons: Readonly<Record<RedemptionFault['kind'], RefusalReason>> = {
  void: 'coupon-void',
  'not-yet': 'coupon-not-yet',
  expired: 'coupon-expired',
  redeemed: 'coupon-used',
  undone: 'coupon-undone',
  'not-redeemed': 'coupon-not-redeemed',
  'too-late': 'coupon-undo-late',
  'undo-limit': 'coupon-undo-limit',
}

/** Returns the values of a refusal; times are ISO 8601. Only the shop that redeemed a coupon sees its receipt. */
function valuesOf(fault: RedemptionFault, shop: string): RefusalValues {
  if ('at' in fault) return { at: new Date(fault.at).toISOString() }
  if (fault.kind !== 'redeemed') return {}
  const { redemption } = fault
  const isOwn = redemption.shop === shop && redemption.reference !== undefined
  return { at: new Date(redemption.at).toISOString(), ...(isOwn && { reference: redemption.reference }) }
}

/**
 * Rejects a client after too many unknown codes, counted in the memory of one instance. It only saves the reads of the
 * table: no number of tries that it admits can guess a code.
 */
export type MissThrottle = {
  /** Returns the seconds until `who` may try again; 0 for now. */
  waitSeconds: (who: string) => number
  add: (who: string) => void
}

/** Clients that are counted, at most. */
const maxClients = 10_000

export function missThrottle(clock: () => number): MissThrottle {
  const { limit, windowMs } = missLimit
  const windows = new Map<string, { until: number; misses: number }>()
  const open = (who: string) => {
    const window = windows.get(who)
    return window !== undefined && clock() < window.until ? window : undefined
  }
  return {
    waitSeconds(who) {
      const window = open(who)
      return window === undefined || window.misses < limit ? 0 : Math.ceil((window.until - clock()) / 1000)
    },
    add(who) {
      const { until, misses } = open(who) ?? { until: clock() + windowMs, misses: 0 }
      setBounded(windows, who, { until, misses: misses + 1 }, maxClients)
    },
  }
}
