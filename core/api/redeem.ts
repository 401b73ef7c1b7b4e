/** The operations with which tills and web shops redeem coupons, with a shop key. Times are epoch ms. */
import * as z from 'zod/mini'
import { parseOrderId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import type { Operation } from './operation.ts'

/** `redeemedAt` is when the coupon was redeemed, and `undoneAt` when that was undone. */
const redemption = z.object({
  code: z.string(),
  orderId: readBy(parseOrderId, 'must be an order id'),
  redeemedAt: z.number(),
  reference: z.optional(z.string()),
  undoneAt: z.optional(z.number()),
})

export const redeemApi = {
  redeem: { method: 'POST', path: '/api/control/coupons/:code/redeem', answer: redemption },
  undoRedemption: { method: 'POST', path: '/api/control/coupons/:code/undo', answer: redemption },
} as const satisfies Record<string, Operation>
