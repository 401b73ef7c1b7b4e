/**
 * The invariants of coupons, besides those of every sale of units: one code per unit, and no code
 * twice.
 */
import { readCoupon } from '../../core/coupon.ts'
import { holdsUnits } from '../../core/order.ts'
import { namesOf, openFindings, someOf } from './findings.ts'
import { judge, type RushFacts, type Verdict } from './verdict.ts'

/** `coupons`: the codes of all orders that hold units. */
export type CouponVerdict = Verdict & { coupons: number }

export function judgeCoupons(facts: RushFacts): CouponVerdict {
  const { snapshot, orders, stock } = facts
  const { violations, must } = openFindings()
  const standing = orders.filter(({ status }) => holdsUnits(status))
  const undone = namesOf(standing, ({ status }) => status !== 'fulfilled')
  const odd = namesOf(standing, ({ coupons, quantity }) => codesOf(coupons).length !== quantity)
  const all = orders.flatMap(({ coupons }) => coupons ?? [])
  const twice = [...Map.groupBy(all, (code) => code)].filter(([, same]) => same.length > 1)
  must(undone.length === 0, `I2: ${undone.length} orders are not fulfilled (${someOf(undone)})`)
  must(odd.length === 0, `I2: ${odd.length} orders without one code for each unit (${someOf(odd)})`)
  must(twice.length === 0, `I1: ${twice.length} codes were given out twice`)
  must(
    stock === -1 || snapshot.booked <= snapshot.total,
    `I1: the counter says ${snapshot.total - snapshot.booked}`,
  )
  const { violations: ofUnits, ...verdict } = judge(facts)
  const coupons = standing.flatMap((order) => codesOf(order.coupons)).length
  return { ...verdict, coupons, violations: [...ofUnits, ...violations] }
}

function codesOf(coupons: readonly string[] | undefined): readonly string[] {
  return (coupons ?? []).filter((code) => readCoupon(code) !== undefined)
}
