/** `POST /api/control/sales/{saleId}/orders`: staff place an order for one shopper. */
import * as z from 'zod/mini'
import { maxQuantity } from '../buy/limits.ts'
import { parseIdempotencyKey, parseOrderId, parseShopperId } from '../ids.ts'
import { readBy, whole } from '../lib/parse.ts'
import { isVariantId } from '../sale/variants.ts'

/** `variant` is required in a sale with variants. A repeat with the same shopper and key finds the earlier order. */
export const placedOrder = z.strictObject(
  {
    shopperId: readBy(parseShopperId, 'must be a shopper id'),
    key: readBy(parseIdempotencyKey, 'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -'),
    quantity: whole(1, maxQuantity),
    variant: z.optional(z.custom<string>(isVariantId, 'must be the id of a variant')),
  },
  'must be a JSON object with an order',
)

/** Only the first two codes have an order. */
const codes = [
  'reserved',
  'repeat',
  'not-started',
  'paused',
  'ended',
  'sold-out',
  'limit-reached',
  'invalid-request',
  'too-many-requests',
  'unavailable',
] as const

/** `quantity` is 0 without an order, and for a repeat of a cancelled one. `field` is set for `invalid-request`. */
export const placedOrderResult = z.object({
  code: z.enum(codes),
  field: z.optional(z.enum(['quantity', 'variant'])),
  orderId: z.nullable(readBy(parseOrderId, 'must be an order id')),
  quantity: z.number(),
})

export type PlacedOrder = z.infer<typeof placedOrder>
export type PlacedOrderResult = z.infer<typeof placedOrderResult>
