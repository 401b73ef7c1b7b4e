/** The bodies of a buy request and of a claim. The gate and the functions parse them with these schemas (S2, S5). */
import * as z from 'zod/mini'
import { isVariantId } from '../sale/variants.ts'
import { isSolvedChallenge, isStartToken, maxQuantity } from './limits.ts'

const commonFields = {
  startToken: z.custom<string>(isStartToken, 'must be the one of the countdown'),
  challenge: z.optional(z.custom<string>(isSolvedChallenge, 'is not a solved challenge')),
}

export const variant = z.custom<string>(isVariantId, 'must be the id of a variant')

const isObject = 'must be a JSON object'
const isQuantity = `must be a whole number from 1 to ${maxQuantity}`

/** `variant` is required in a sale with variants. */
export const buyRequest = z.strictObject(
  {
    quantity: z.int(isQuantity).check(z.gte(1, isQuantity), z.lte(maxQuantity, isQuantity)),
    variant: z.optional(variant),
    ...commonFields,
  },
  isObject,
)

export const claimRequest = z.strictObject(commonFields, isObject)

/** The fields that a buy request has too. */
export type ClaimRequest = z.infer<typeof claimRequest>

/** Returns the Idempotency-Key of a buy request. Without a `key` the shopper has one request per epoch. */
export function purchaseKey(key: string | undefined, startToken: string): string {
  return key ?? `epoch:${startToken}`
}
