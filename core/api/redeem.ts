/** The operations with which tills and web shops redeem coupons, with a shop key. Times are epoch ms. */
import * as z from 'zod/mini'
import { maxRedeemBytes } from '../body-limits.ts'
import { parseOrderId } from '../ids.ts'
import { parsedBy, readBy } from '../lib/parse.ts'
import { type CouponCode, parseCoupon } from '../orders/coupon.ts'
import type { FullOperation } from './operation.ts'
import { shopProblems } from './problem-sets.ts'
import { reference } from './reservations.ts'

/** `redeemedAt` is when the coupon was redeemed, and `undoneAt` when that was undone. */
const redemption = z.object({
  code: z.string(),
  orderId: readBy(parseOrderId, 'must be an order id'),
  redeemedAt: z.number(),
  reference: z.optional(z.string()),
  undoneAt: z.optional(z.number()),
})

const code = parsedBy(readCode, 'is not a coupon code: it has 20 letters and digits')

/** A code as it is written, which may be encoded. */
function readCode(text: string): CouponCode | undefined {
  try {
    return parseCoupon(decodeURIComponent(text))
  } catch {
    return undefined
  }
}

const ofCoupon = {
  method: 'POST',
  params: z.object({ code }),
  answer: redemption,
  problems: [...shopProblems, 'not-found', 'conflict'],
} as const

export const redeemApi = {
  redeem: {
    ...ofCoupon,
    path: '/api/control/coupons/:code/redeem',
    body: {
      maxBytes: maxRedeemBytes,
      schema: z.strictObject({ reference: z.optional(reference) }, 'must be an object'),
      optional: true,
    },
  },
  undoRedemption: {
    ...ofCoupon,
    path: '/api/control/coupons/:code/undo',
    body: { maxBytes: maxRedeemBytes, schema: z.strictObject({}, 'must be an empty object'), optional: true },
  },
} as const satisfies Record<string, FullOperation>
