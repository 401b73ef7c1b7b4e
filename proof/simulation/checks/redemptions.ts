/** A coupon is redeemed once at a time, of an order that stands, and every answer about it is kept. */
import { formatCoupon } from '../../../core/orders/coupon.ts'
import { holdsUnits, type Order } from '../../../core/orders/order.ts'
import { redemptionName } from '../visit-record.ts'
import type { World } from '../world.ts'

/** Reports violations in the orders of a sale at rest. */
export function checkRedemptions({ visits, violated }: World, orders: readonly Order[]): void {
  const stored = new Map<string, { orderId: string; at: number; undoneAt?: number | undefined }>()
  for (const { orderId, status, coupons = [], redemptions = [] } of orders) {
    for (const [code, some] of Map.groupBy(redemptions, (redemption) => redemption.code)) {
      const standing = some.filter(({ undoneAt }) => undoneAt === undefined)
      if (standing.length > 1) violated(`${code} is redeemed ${standing.length} times (coupons)`)
      if (!coupons.includes(code)) violated(`${code} is redeemed in ${orderId}, which has other codes (coupons)`)
      if (standing.length > 0 && !holdsUnits(status)) violated(`${code} of ${orderId} is redeemed and void (coupons)`)
    }
    for (const { code, shop: till, key, at, undoneAt } of redemptions) {
      stored.set(redemptionName({ till, key, code: formatCoupon(code) }), { orderId, at, undoneAt })
    }
  }
  for (const [name, { orderId, redeemedAt, isUndone }] of visits.redemptions) {
    const found = stored.get(name)
    if (found?.orderId !== orderId || found.at !== redeemedAt) violated(`${name} was answered and is not stored (I2)`)
    else if (isUndone && found.undoneAt === undefined) violated(`${name} was undone and stands (I2)`)
  }
}
