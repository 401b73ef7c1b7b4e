/**
 * What the shopper of an order of coupons gets to see of them: the codes while the order stands and no longer, and from when
 * until when its sale lets them be redeemed.
 */
import { holdsUnits, type Order, type OrderView } from '../../core/order.ts'
import type { Offers } from '../order-life/offer.ts'

export type CouponsSeen = Pick<OrderView, 'coupons' | 'validFrom' | 'validUntil'>

/** Throws what `offers` throws; an order without codes to show asks for nothing. */
export async function couponsSeen(
  offers: Offers,
  { orderId, saleId, status, coupons }: Order,
): Promise<CouponsSeen> {
  if (coupons === undefined || !holdsUnits(status)) return {}
  const offer = await offers.of(saleId)
  if (offer === undefined) throw new Error(`${orderId} has coupons of a sale that does not exist`)
  const { validFrom, validUntil } = offer.coupons ?? {}
  return {
    coupons,
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  }
}
