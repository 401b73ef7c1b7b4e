/** The body of `POST /api/sales/{saleId}/orders`. The gate and the function parse it with the same schema. */
import * as z from 'zod/mini'
import { whole } from './parse.ts'

/** Largest body, in bytes, that a buy may have (platform limits allow far more; no honest one is bigger). */
export const maxBuyBodyBytes = 2048

/** The largest quantity any sale could allow; the sale's own `maxPerOrder` is checked where the sale is known. */
export const maxQuantity = 1000

export const buyRequest = z.strictObject(
  {
    quantity: whole(1, maxQuantity),
    startToken: z
      .string('is missing: it comes with the countdown once the sale has started')
      .check(z.regex(/^[A-Za-z0-9_-]{22,64}$/, 'is not a start token')),
  },
  'must be a JSON object with quantity and startToken',
)

export type BuyRequest = z.infer<typeof buyRequest>
