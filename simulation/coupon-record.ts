/** The codes that shoppers were shown: once seen, a code stays what it is. */
import type { OrderId } from '../core/ids.ts'
import type { HttpAnswer } from '../functions/lib/http/answer.ts'
import { member } from './client.ts'

export type CouponBook = {
  seen: ReadonlyMap<OrderId, readonly string[]>
  /** Hears of an answer about one order. */
  hear: (orderId: OrderId, answer: HttpAnswer) => void
}

export function openCoupons(violated: (what: string) => void): CouponBook {
  const seen = new Map<OrderId, readonly string[]>()
  return {
    seen,
    hear(orderId, answer) {
      if (answer.statusCode !== 200) return
      const codes = member(answer, 'coupons')
      const isStanding = member(answer, 'status') === 'fulfilled'
      if (isStanding !== Array.isArray(codes)) {
        violated(
          `${orderId} ${isStanding ? 'stands and shows no codes' : 'shows codes and does not stand'} (coupons)`,
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
