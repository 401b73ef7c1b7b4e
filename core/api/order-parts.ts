/** Parts of an order in answers to shoppers and to support. */
import * as z from 'zod/mini'
import { readBy } from '../lib/parse.ts'
import { parseCarrier, parseTracking } from '../orders/shipment.ts'
import { type Basket, isBasket } from '../sale/variants.ts'

/** How it was sent. */
export const shipmentView = z.object({
  carrier: readBy(parseCarrier, 'must be a name'),
  tracking: z.optional(readBy(parseTracking, 'must be a tracking number')),
})

/** What a shopper has withdrawn from. */

/** `at` (epoch ms) is when the statement that added its last units came, or when the units came back. */
export const withdrawnView = z.object({
  quantity: z.number(),
  basket: z.optional(z.custom<Basket>(isBasket, 'must be units by variant')),
  at: z.number(),
})
