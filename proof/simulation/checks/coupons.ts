/** Every shopper sees their coupons: as many as ordered, and the same codes each time. */

import { formatCoupon } from '../../../core/orders/coupon.ts'
import { holdsUnits, type Order } from '../../../core/orders/order.ts'
import { csvPart } from '../../../functions/control/csv.ts'
import { couponsTable } from '../../../functions/control/tables.ts'
import { couponsSeen } from '../../../functions/orders/own-order.ts'
import { orderRows } from '../../../functions/table/sale/sale-rows.ts'
import type { World } from '../world.ts'

/** Reports violations in the orders of a sale at rest. */
export async function checkCoupons(world: World, orders: readonly Order[]): Promise<void> {
  const { violated, truth, coupons } = world
  const sale = await world.sale()
  for (const order of orders) {
    const { orderId, status, quantity } = order
    const shown = couponsSeen(order, sale).coupons ?? []
    const should = sale.kind === 'coupon' && holdsUnits(status) ? quantity : 0
    if (shown.length !== should) violated(`${orderId} shows ${shown.length} codes, and ${should} are its (coupons)`)
    const seen = coupons.seen.get(orderId)
    if (seen !== undefined && seen.join() !== order.coupons?.join()) {
      violated(`${orderId} showed other codes than it has (coupons)`)
    }
  }
  if (sale.kind !== 'coupon') return
  const standing = orders.filter(({ status }) => holdsUnits(status)).flatMap((order) => order.coupons ?? [])
  const valid = standing.map(formatCoupon).sort()
  const { text: csv } = await csvPart(couponsTable(sale), orderRows(truth.table, sale.saleId), true)
  const listed = csv.split('\r\n').filter((line) => ['valid', 'redeemed'].includes(line.split(',')[3] ?? ''))
  const codes = listed.map((line) => line.split(',')[0]).sort()
  if (codes.join() !== valid.join()) violated(`${codes} are listed as valid, and ${valid} are (coupons)`)
}
