/**
 * What a shopper sees of the coupons in their order: the codes while the order stands, and when
 * they can be redeemed.
 */
import type { OrderView } from '../../core/api/shop.ts'
import { holdsUnits, type Order } from '../../core/order.ts'
import type { Offer } from './offer.ts'

export type CouponsSeen = Pick<OrderView, 'coupons' | 'validFrom' | 'validUntil'>

/** `offer` is that of the order's sale; it may be missing when there are no codes to show. */
export function couponsSeen({ orderId, status, coupons }: Order, offer: Offer | undefined): CouponsSeen {
  if (coupons === undefined || !holdsUnits(status)) return {}
  if (offer === undefined) throw new Error(`${orderId} has coupons of a sale that does not exist`)
  const { validFrom, validUntil } = offer.coupons ?? {}
  return {
    coupons,
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  }
}
