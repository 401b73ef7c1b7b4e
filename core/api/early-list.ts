/** The bodies and answers of `/api/control/sales/{saleId}/early`: who is on the list for early access. */
import * as z from 'zod/mini'
import { parseShopperId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'

/** Shoppers of one call: with every id at its longest they fit into the largest body. */
export const maxEarlyShoppers = 1000

/** Shoppers on the list of one sale. */
export const maxEarlyList = 20_000

const shopperId = readBy(parseShopperId, 'must be a shopper ID')

/** Shoppers to add or to remove. The same ones once more change nothing, a dry run nothing at all. */
export const earlyShoppers = z.strictObject(
  {
    shoppers: z
      .array(shopperId, 'must be a list')
      .check(
        z.minLength(1, 'must have at least one shopper'),
        z.maxLength(maxEarlyShoppers, `must have at most ${maxEarlyShoppers} shoppers`),
      ),
    dryRun: z.optional(z.boolean('must be true or false')),
  },
  'must be a JSON object with shoppers',
)

/** How many shoppers were added or removed, or would be; the others were on the list, or not on it. */
export const earlyChange = z.object({ changed: z.number(), same: z.number() })

/** One page in the order of ids; `next` is the `after` of the next page, null on the last. */
export const earlyPage = z.object({
  count: z.number(),
  shoppers: z.readonly(z.array(shopperId)),
  next: z.nullable(z.string()),
})
