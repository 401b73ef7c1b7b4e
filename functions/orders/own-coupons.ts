/**
 * What the shopper of an order of coupons gets to see of them: the codes while the order stands and no longer, and from when
 * until when its sale lets them be redeemed.
 */
import { holdsUnits, type Order, type OrderView } from '../../core/order.ts'
import type { Offer } from './offer.ts'

export type CouponsSeen = Pick<OrderView, 'coupons' | 'validFrom' | 'validUntil'>

/** `offer` is that of the order's sale, and may be missing where there are no codes to show. */
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
