/** What a shopper has withdrawn from, in answers to shoppers and to support. */
import * as z from 'zod/mini'
import { type Basket, isBasket } from '../sale/variants.ts'

/** `at` (epoch ms) is when the statement that added its last units came, or when the units came back. */
export const withdrawnView = z.object({
  quantity: z.number(),
  basket: z.optional(z.custom<Basket>(isBasket, 'must be units by variant')),
  at: z.number(),
})
