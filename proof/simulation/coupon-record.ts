/** The coupon codes shown to shoppers: a code must never change once it was shown. */
import type { OrderId } from '../../core/ids.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import { member } from './client.ts'

export type CouponRecord = {
  seen: ReadonlyMap<OrderId, readonly string[]>
  record: (orderId: OrderId, answer: HttpAnswer) => void
}

export function openCouponRecord(violated: (what: string) => void): CouponRecord {
  const seen = new Map<OrderId, readonly string[]>()
  return {
    seen,
    record(orderId, answer) {
      if (answer.statusCode !== 200) return
      const codes = member(answer, 'coupons')
      const isStanding = member(answer, 'status') === 'fulfilled'
      if (isStanding !== Array.isArray(codes)) {
        violated(
          `${orderId} ${isStanding ? 'is fulfilled and shows no codes' : 'shows codes and is not fulfilled'} (coupons)`,
        )
      }
      if (!Array.isArray(codes)) return
      const before = seen.get(orderId)
      const shown = codes.map(String)
      if (before !== undefined && before.join() !== shown.join()) {
        violated(`${orderId} showed ${before.join()} and then ${shown.join()} (coupons)`)
      }
      seen.set(orderId, shown)
    },
  }
}
