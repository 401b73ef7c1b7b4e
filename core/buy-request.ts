/**
 * The body of `POST /api/sales/{saleId}/orders`. The gate and the function read it with the same code, written out
 * because a schema library is a third of what the gate may weigh.
 */
import { decodeJson } from './json.ts'
import type { Parsed } from './parse.ts'

/** Largest body, in bytes, that a buy may have (platform limits allow far more; no honest one is bigger). */
export const maxBuyBodyBytes = 2048

/** The largest quantity any sale could allow; the sale's own `maxPerOrder` is checked where the sale is known. */
export const maxQuantity = 1000

/** `challenge` is the one that the sale asks for, solved, in ALTCHA's base64 form. */
export type BuyRequest = { quantity: number; startToken: string; challenge?: string }

const startTokenPattern = /^[A-Za-z0-9_-]{22,64}$/
const challengePattern = /^[A-Za-z0-9+/=_-]{1,1800}$/
const known = new Set(['quantity', 'startToken', 'challenge'])

/**
 * The name of a purchase, which whoever repeats it gives again: its Idempotency-Key. Without a `key` it is the shopper's one
 * of this opening.
 */
export function purchaseKey(key: string | undefined, startToken: string): string {
  return key ?? `epoch:${startToken}`
}

/** The purchase in the JSON of a body, or the first thing wrong with it. */
export function readBuyRequest(body: string | Uint8Array): Parsed<BuyRequest> {
  const decoded = decodeJson(body)
  return decoded.ok ? parseBuyRequest(decoded.value) : decoded
}

/** `value` as a purchase, or the first thing wrong with it, naming the field (S2, S5). */
export function parseBuyRequest(value: unknown): Parsed<BuyRequest> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, field: 'body', detail: 'body must be a JSON object with quantity and startToken' }
  }
  const given: Record<string, unknown> = { ...value }
  const { quantity, startToken, challenge } = given
  if (typeof quantity !== 'number' || !isQuantity(quantity)) {
    return fault('quantity', `must be a whole number from 1 to ${maxQuantity}`)
  }
  if (typeof startToken !== 'string' || !startTokenPattern.test(startToken)) {
    return fault('startToken', 'must be the one that the countdown shows once the sale has started')
  }
  if (challenge !== undefined && (typeof challenge !== 'string' || !challengePattern.test(challenge))) {
    return fault('challenge', 'is not a solved challenge')
  }
  const unknown = Object.keys(given).find((name) => !known.has(name))
  if (unknown !== undefined) return fault(unknown, 'is not a known field')
  return {
    ok: true,
    value: challenge === undefined ? { quantity, startToken } : { quantity, startToken, challenge },
  }
}

/** No fraction, NaN or 1e99. */
function isQuantity(quantity: number): boolean {
  return Number.isSafeInteger(quantity) && quantity >= 1 && quantity <= maxQuantity
}

function fault(field: string, what: string): Parsed<never> {
  return { ok: false, field, detail: `${field} ${what}` }
}
