/** The lines of `POST /api/control/sales/{saleId}/orders`: each is an order of one shopper. */
import * as z from 'zod/mini'
import { maxQuantity } from '../buy/buy-request.ts'
import { parseIdempotencyKey, parseOrderId, parseShopperId } from '../ids.ts'
import { readBy, whole } from '../lib/parse.ts'
import { isCurrencyCode } from '../money.ts'
import { type Basket, basketUnits, isBasket, maxBasketLines } from '../sale/variants.ts'

/** Lines of one call: with every text at its limit they fit into the largest body. */
export const maxOrderLines = 100

const who = {
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  key: readBy(parseIdempotencyKey, 'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -'),
}

/**
 * Has `quantity`, or in a sale with variants `basket`, whose units are counted, and in a sale with prices in several
 * currencies the one that the shopper pays in.
 */
const orderLine = z.pipe(
  z
    .strictObject(
      {
        ...who,
        currency: z.optional(z.custom<string>(isCurrencyCode, 'must be an ISO 4217 code')),
        quantity: z.optional(whole(1, maxQuantity)),
        basket: z.optional(
          z
            .custom<Basket>(isBasket, `must be an object with 1 to ${maxBasketLines} variants and their units`)
            .check(z.refine((basket) => basketUnits(basket) <= maxQuantity, `must have at most ${maxQuantity} units`)),
        ),
      },
      'must be an object',
    )
    .check(
      z.refine(({ quantity, basket }) => (quantity === undefined) !== (basket === undefined), {
        message: 'must be a whole number, or absent beside a basket',
        path: ['quantity'],
      }),
    ),
  z.transform(({ quantity, basket, ...line }) => ({
    ...line,
    ...(basket && { basket }),
    quantity: quantity ?? basketUnits(basket ?? {}),
  })),
)

/** Orders to be made, a line each. A line with the shopper and key of an earlier one finds its order. */
export const orderLines = z.strictObject(
  {
    lines: z
      .array(orderLine, 'must be a list')
      .check(
        z.minLength(1, 'must have at least one line'),
        z.maxLength(maxOrderLines, `must have at most ${maxOrderLines} lines`),
      ),
  },
  'must be a JSON object with lines',
)

/** What may come of a line; all but the first two have no order. */
const lineCodes = [
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

/**
 * `quantity` is what the order has: 0 without an order, and for a repeat of a cancelled one. `field` is that of the line
 * that is wrong, for the code `invalid-request`.
 */
export const reservedLine = z.object({
  ...who,
  code: z.enum(lineCodes),
  field: z.optional(z.enum(['quantity', 'basket', 'currency'])),
  orderId: z.nullable(readBy(parseOrderId, 'must be an order id')),
  quantity: z.number(),
})

export type OrderLine = z.infer<typeof orderLine>
export type ReservedLine = z.infer<typeof reservedLine>
