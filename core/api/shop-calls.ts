/**
 * The operations of tills and web shops, which authenticate with a shop key: redeeming coupons, and confirming or
 * releasing reservations that were paid in the shop's own checkout. Times are epoch ms.
 */
import * as z from 'zod/mini'
import { maxRedeemBytes } from '../body-limits.ts'
import { parseOrderId } from '../ids.ts'
import { parsedBy, readBy } from '../lib/parse.ts'
import { type CouponCode, parseCoupon } from '../orders/coupon.ts'
import { orderStatuses } from '../orders/order.ts'
import { maxReference, maxReferenceBytes } from '../orders/redemption.ts'
import type { FullOperation } from './operation.ts'
import { orderParams } from './operation-parts.ts'
import { shopProblems } from './problem-sets.ts'

/** The shop's own receipt or order. */
const reference = z.string('must be a string').check(
  z.regex(new RegExp(`^[^\\p{Cc}]{1,${maxReference}}$`, 'u'), `must be 1 to ${maxReference} characters`),
  z.refine(
    (text) => new TextEncoder().encode(text).length <= maxReferenceBytes,
    `must be at most ${maxReferenceBytes} bytes of UTF-8`,
  ),
)

const call = { method: 'POST', problems: [...shopProblems, 'not-found', 'conflict'] } as const
const orderId = readBy(parseOrderId, 'must be an order id')
const optionalBody = { maxBytes: maxRedeemBytes, optional: true } as const
const emptyBody = { ...optionalBody, schema: z.strictObject({}, 'must be an empty object') } as const

/** `orderId` is a new order if the requested one had ended and its units were reserved again. */
const reservationReport = z.object({ orderId, status: z.enum(orderStatuses), reference: z.optional(z.string()) })

const ofReservation = { ...call, params: orderParams, answer: reservationReport } as const

export const reservationApi = {
  confirm: {
    ...ofReservation,
    path: '/api/control/reservations/:orderId/confirm',
    body: { maxBytes: maxRedeemBytes, schema: z.strictObject({ reference }, 'must be an object with reference') },
  },
  release: { ...ofReservation, path: '/api/control/reservations/:orderId/release', body: emptyBody },
} as const satisfies Record<string, FullOperation>

const redemption = z.object({
  code: z.string(),
  orderId,
  redeemedAt: z.number(),
  reference: z.optional(z.string()),
  undoneAt: z.optional(z.number()),
})

const code = parsedBy(readCode, 'is not a coupon code: it has 20 letters and digits')

/** Returns the code in a path parameter, which may be URL-encoded. */
function readCode(text: string): CouponCode | undefined {
  try {
    return parseCoupon(decodeURIComponent(text))
  } catch {
    return undefined
  }
}

const ofCoupon = { ...call, params: z.object({ code }), answer: redemption } as const

export const redeemApi = {
  redeem: {
    ...ofCoupon,
    path: '/api/control/coupons/:code/redeem',
    body: { ...optionalBody, schema: z.strictObject({ reference: z.optional(reference) }, 'must be an object') },
  },
  undoRedemption: { ...ofCoupon, path: '/api/control/coupons/:code/undo', body: emptyBody },
} as const satisfies Record<string, FullOperation>
