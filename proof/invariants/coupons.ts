/** Coupons: an order that stands has a code for each unit, of no other order. */
import { readCoupon } from '../../core/orders/coupon.ts'
import { type Finding, openFindings, someOf } from './findings.ts'
import type { SaleSnapshot, SnapshotOrder } from './snapshot.ts'
import { standingOrders } from './units.ts'

export function couponFindings({ orders }: Pick<SaleSnapshot, 'orders'>): Finding[] {
  const { findings, must } = openFindings()
  const standing = standingOrders(orders)
  const undone = namesOf(standing, ({ status }) => status !== 'fulfilled')
  const odd = namesOf(standing, (order) => codesOf(order).length !== order.quantity)
  const all = orders.flatMap(({ coupons = [] }) => coupons)
  const twice = [...Map.groupBy(all, (code) => code)].filter(([, same]) => same.length > 1)
  must('I2', undone.length === 0, `${undone.length} orders are not fulfilled (${someOf(undone)})`)
  must(['I2', 'coupons'], odd.length === 0, `${odd.length} orders without one code for each unit (${someOf(odd)})`)
  must(['I1', 'coupons'], twice.length === 0, `${twice.length} codes were given out twice`)
  return findings
}

/** The valid codes of an order. */
export function codesOf({ coupons = [] }: Pick<SnapshotOrder, 'coupons'>): readonly string[] {
  return coupons.filter((code) => readCoupon(code) !== undefined)
}

function namesOf(orders: readonly SnapshotOrder[], isWrong: (order: SnapshotOrder) => boolean): string[] {
  return orders.filter(isWrong).map(({ orderId }) => orderId)
}
