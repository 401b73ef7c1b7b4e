/** Checks shop keys by their digests. Keys have 256 random bits, so a plain hash is as hard to reverse as a slow one. */
import { hash, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { whole } from '../../core/lib/parse.ts'
import { nameOfShopKey, shopNameShape } from '../../core/orders/shop-key.ts'
import { jsonText, nonEmpty } from '../lib/env.ts'

/** Keys in use, at most: the environment of a function has 4 KB. */
export const maxShopKeys = 6

export type ShopKeyDigests = Readonly<Record<string, string>>

const digests = z
  .record(z.string().check(z.regex(new RegExp(`^${shopNameShape}$`))), z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)))
  .check(z.refine((keys) => Object.keys(keys).length <= maxShopKeys))

/** The schema of a variable with the digests. */
export const shopKeyDigests = jsonText(
  digests,
  `must be an object in JSON of at most ${maxShopKeys} digests of shop keys by their names`,
)

/** The longest time to undo a redemption. */
export const maxUndoMinutes = 1440

const minutes = z.pipe(nonEmpty, z.pipe(z.transform(Number), whole(0, maxUndoMinutes)))

/** For the function that redeems coupons; absent where no shop does. */
export const redeemVariables = { SHOP_KEYS: z.optional(shopKeyDigests), UNDO_MINUTES: z.optional(minutes) }

/** Returns the digest of a key, which is all that the settings contain. */
export function digestOfShopKey(key: string): string {
  return hash('sha256', key, 'base64url')
}

/** Returns the name of the shop with this key, or undefined, in constant time. */
export function findShopByKey(digests: ShopKeyDigests, key: string): string | undefined {
  const name = nameOfShopKey(key)
  const known = Object.hasOwn(digests, name) ? digests[name] : undefined
  const given = digestOfShopKey(key)
  // A key of an unknown name costs the same comparison.
  const isEqual = timingSafeEqual(Buffer.from(given), Buffer.from(known ?? given))
  return isEqual && known !== undefined ? name : undefined
}
