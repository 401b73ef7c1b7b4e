/** When the coupons of an order can be redeemed, as a sentence of the catalogue. */
import type { OrderView } from '../../../core/api/shop.ts'
import type { OrderStage } from '../../../core/orders/order-stage.ts'
import type { couponCodeMessages } from '../../messages/catalogues.ts'

type Bounds = Pick<OrderView, 'validFrom' | 'validUntil'>

/**
 * The key of the sentence, which may name `from` and `until`. Undefined where time sets no bound.
 */
export function validityOf(
  { validFrom, validUntil }: Bounds,
  stage: OrderStage,
): keyof typeof couponCodeMessages | undefined {
  if (stage === 'expired') return 'coupon.expired'
  if (validFrom === undefined) return validUntil === undefined ? undefined : 'coupon.until'
  return validUntil === undefined ? 'coupon.from' : 'coupon.between'
}
