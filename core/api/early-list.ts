/** The bodies and answers of `/api/control/sales/{saleId}/early`: who is on the list for early access. */
import * as z from 'zod/mini'
import { parseShopperId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'

/** Shoppers of one call: with every id at its longest they fit into the largest body. */
export const maxEarlyShoppers = 1000

/** Shoppers on the list of one sale. */
export const maxEarlyList = 20_000

const shopperId = readBy(parseShopperId, 'must be a shopper ID')

const digest = z.string('must be a string').check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'))

/** Digests of invitations to add. The same ones once more change nothing. */
const invitations = z
  .array(digest, 'must be a list')
  .check(
    z.minLength(1, 'must have at least one digest'),
    z.maxLength(maxEarlyShoppers, `must have at most ${maxEarlyShoppers} digests`),
  )

const shoppers = z
  .array(shopperId, 'must be a list')
  .check(
    z.minLength(1, 'must have at least one shopper'),
    z.maxLength(maxEarlyShoppers, `must have at most ${maxEarlyShoppers} shoppers`),
  )
const dryRun = z.optional(z.boolean('must be true or false'))

/** Shoppers to remove. The same ones once more change nothing, a dry run nothing at all. */
export const earlyShoppers = z.strictObject({ shoppers, dryRun }, 'must be a JSON object with shoppers')

/** What is added, alike: shoppers, or invitations by their digests, each of which brings one shopper onto the list. */
export const earlyAdditions = z
  .strictObject(
    { shoppers: z.optional(shoppers), invitations: z.optional(invitations), dryRun },
    'must be a JSON object with shoppers or invitations',
  )
  .check(
    z.refine((body) => (body.shoppers === undefined) !== (body.invitations === undefined), {
      path: ['shoppers'],
      error: 'must be a list, or else invitations',
    }),
  )

/** How many shoppers were added or removed, or would be; the others were on the list, or not on it. */
export const earlyChange = z.object({ changed: z.number(), same: z.number() })

/**
 * One page in the order of ids; `next` is the `after` of the next page, null on the last. `invitations` says how many codes
 * there are and how many were redeemed.
 */
export const earlyPage = z.object({
  count: z.number(),
  invitations: z.object({ issued: z.number(), redeemed: z.number() }),
  shoppers: z.readonly(z.array(shopperId)),
  next: z.nullable(z.string()),
})
