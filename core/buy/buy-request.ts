/**
 * The body of `POST /api/sales/{saleId}/orders`. Gate and function parse it with the same code,
 * written by hand because a schema library is a third of the gate's size limit.
 */

import { decodeJson } from '../lib/json.ts'
import type { Parsed } from '../lib/parse.ts'
import { isVariantId } from '../sale/variants.ts'
import { type Entry, faultOf, fieldsIn, parseEntry } from './start-token.ts'

/**
 * The largest quantity any sale could allow; the sale's own `maxPerOrder` is checked where the sale
 * is known.
 */
export const maxQuantity = 1000

/** C7: a page sends one click in this time. */
export const restMs = 10_000

/** `quantity` units, in a sale with variants of that `variant`. */
export type BuyRequest = Entry & {
  quantity: number
  variant?: string | undefined
}

/**
 * The Idempotency-Key of a buy request, which a retry sends again. Without a `key` it is the
 * shopper's one request of this epoch.
 */
export function purchaseKey(key: string | undefined, startToken: string): string {
  return key ?? `epoch:${startToken}`
}

/** The buy request in a JSON body, or its first fault. */
export function readBuyRequest(body: string | Uint8Array): Parsed<BuyRequest> {
  const decoded = decodeJson(body)
  return decoded.ok ? parseBuyRequest(decoded.value) : decoded
}

/** `value` as a buy request, or its first fault, naming the field (S2, S5). */
export function parseBuyRequest(value: unknown): Parsed<BuyRequest> {
  const { quantity, variant } = fieldsIn(value) ?? {}
  const entry = parseEntry(value, ['quantity', 'variant'])
  if (!entry.ok && entry.field === 'body') return entry
  if (!isQuantity(quantity)) return faultOf('quantity', `must be a whole number from 1 to ${maxQuantity}`)
  if (variant !== undefined && !isVariantId(variant)) return faultOf('variant', 'must be the id of a variant')
  return entry.ok ? { ok: true, value: { quantity, variant, ...entry.value } } : entry
}

/** No fraction, NaN or 1e99. */
function isQuantity(quantity: unknown): quantity is number {
  return Number.isSafeInteger(quantity) && (quantity as number) >= 1 && (quantity as number) <= maxQuantity
}
