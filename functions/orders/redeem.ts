/**
 * Redeems a coupon at a shop, exactly once, and undoes it within a short time. The order decides
 * (core/orders/redemption.ts): redeeming is a step of its life, as its cancellation is.
 */

import type { IdempotencyKey, OrderId } from '../../core/ids.ts'
import type { CouponCode } from '../../core/orders/coupon.ts'
import type { Order, Redemption } from '../../core/orders/order.ts'
import type { LifeEvent } from '../../core/orders/order-life.ts'
import { type RedemptionFault, redemptionOf } from '../../core/orders/redemption.ts'
import type { Offers } from '../lib/offer.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { orderOfCoupon } from '../table/orders/coupon-orders.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import { type StepPorts, stepOrder } from './step.ts'

/** `undoMs` is how long after a redemption it can be undone. */
export type RedeemPorts = StepPorts & Pick<Shop, 'log'> & { offers: Offers; undoMs: number }

/** A request of the shop whose key has the name `shop`; `key` is the idempotency key of the redemption. */
export type ShopRequest = { code: CouponCode; shop: string; key: IdempotencyKey }

/** `unknown`: no order has the code. */
export type Redeeming =
  | { kind: 'done'; orderId: OrderId; redemption: Redemption }
  | { kind: 'refused'; fault: RedemptionFault }
  | { kind: 'unknown' }

/** How long to retry a busy table or order; the function has ten seconds. */
const patienceMs = 5000

/**
 * Can be repeated.
 * @throws what `stepOrder` and the ports throw
 */
export async function redeemCoupon(
  ports: RedeemPorts,
  { reference, ...name }: ShopRequest & { reference?: string | undefined },
): Promise<Redeeming> {
  const order = await orderWith(ports, name.code)
  if (order === undefined) return { kind: 'unknown' }
  const offer = await ports.offers.of(order.saleId)
  if (offer === undefined) throw new Error(`${order.orderId} has coupons of a sale that does not exist`)
  const request = { ...name, ...(reference !== undefined && { reference }), ...offer.coupons }
  return change(ports, order.orderId, name, { kind: 'coupon-redeemed', ...request })
}

/** Undoes the redemption that the shop made under `key`. Can be repeated, and throws, as `redeemCoupon`. */
export async function undoRedemption(ports: RedeemPorts, name: ShopRequest): Promise<Redeeming> {
  const order = await orderWith(ports, name.code)
  if (order === undefined) return { kind: 'unknown' }
  return change(ports, order.orderId, name, { kind: 'redemption-undone', ...name, undoMs: ports.undoMs })
}

async function orderWith({ table }: RedeemPorts, code: CouponCode): Promise<Order | undefined> {
  const orderId = await orderOfCoupon(table, code)
  const order = orderId && (await findWrittenOrder(table, orderId))
  return order?.coupons?.includes(code) ? order : undefined
}

async function change(ports: RedeemPorts, orderId: OrderId, name: ShopRequest, event: LifeEvent): Promise<Redeeming> {
  const taken = await stepOrder(ports, orderId, event, { deadline: ports.clock() + patienceMs })
  if (taken.kind === 'refused' && taken.fault !== undefined) return { kind: 'refused', fault: taken.fault }
  const redemption = 'order' in taken ? redemptionOf(taken.order, name) : undefined
  if (redemption === undefined) throw new Error(`${orderId} answered ${event.kind} with ${taken.kind}`)
  if (taken.kind === 'moved') ports.log.info('coupon changed', { orderId, what: event.kind, shop: name.shop })
  return { kind: 'done', orderId, redemption }
}
