/** The verdict of a sale of coupons, which has a code for each unit. */
import { codesOf } from '../invariants/coupons.ts'
import { standingOrders } from '../invariants/units.ts'
import { judge, type RushFacts, type Verdict } from './verdict.ts'

/** `coupons`: the codes of all orders that hold units. */
export type CouponVerdict = Verdict & { coupons: number }

export function judgeCoupons(facts: RushFacts): CouponVerdict {
  const coupons = standingOrders(facts.orders).flatMap(codesOf).length
  return { ...judge(facts, { kind: 'coupon' }), coupons }
}
