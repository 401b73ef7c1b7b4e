/** The operations with which a shop that takes the money reports what became of an order, with a shop key. */
import * as z from 'zod/mini'
import { maxRedeemBytes } from '../body-limits.ts'
import { parseOrderId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { orderStatuses } from '../orders/order.ts'
import { maxReference, maxReferenceBytes } from '../orders/redemption.ts'
import type { FullOperation } from './operation.ts'
import { orderParams } from './operation-parts.ts'
import { shopProblems } from './problem-sets.ts'

/** The shop's own receipt or order. */
export const reference = z.string('must be a string').check(
  z.regex(new RegExp(`^[^\\p{Cc}]{1,${maxReference}}$`, 'u'), `must be 1 to ${maxReference} characters`),
  z.refine(
    (text) => new TextEncoder().encode(text).length <= maxReferenceBytes,
    `must be at most ${maxReferenceBytes} bytes of UTF-8`,
  ),
)

/** \`orderId\` is that of another order where the one that was asked for had ended and got its units again. */
const reported = z.object({
  orderId: readBy(parseOrderId, 'must be an order id'),
  status: z.enum(orderStatuses),
  reference: z.optional(z.string()),
})

const ofReservation = {
  method: 'POST',
  params: orderParams,
  answer: reported,
  problems: [...shopProblems, 'not-found', 'conflict'],
} as const

export const reservationApi = {
  confirm: {
    ...ofReservation,
    path: '/api/control/reservations/:orderId/confirm',
    body: { maxBytes: maxRedeemBytes, schema: z.strictObject({ reference }, 'must be an object with reference') },
  },
  release: {
    ...ofReservation,
    path: '/api/control/reservations/:orderId/release',
    body: { maxBytes: maxRedeemBytes, schema: z.strictObject({}, 'must be an empty object'), optional: true },
  },
} as const satisfies Record<string, FullOperation>
