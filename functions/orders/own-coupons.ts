/**
 * What a shopper sees of the coupons in their order: the codes while the order stands, which of them
 * are redeemed, and when the others can be.
 */
import type { OrderView } from '../../core/api/shop.ts'
import { holdsUnits, type Order } from '../../core/orders/order.ts'
import { standingRedemption } from '../../core/orders/redemption.ts'
import type { Offer } from '../lib/offer.ts'

export type CouponsSeen = Pick<OrderView, 'coupons' | 'redeemed' | 'validFrom' | 'validUntil'>

/** `offer` is that of the order's sale; it may be missing when there are no codes to show. */
export function couponsSeen(order: Order, offer: Offer | undefined): CouponsSeen {
  const { orderId, status, coupons } = order
  if (coupons === undefined || !holdsUnits(status)) return {}
  if (offer === undefined) throw new Error(`${orderId} has coupons of a sale that does not exist`)
  const { validFrom, validUntil } = offer.coupons ?? {}
  const redeemed = coupons.filter((code) => standingRedemption(order, code) !== undefined)
  return {
    coupons,
    ...(redeemed.length > 0 && { redeemed }),
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  }
}
