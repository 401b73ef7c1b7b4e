/**
 * The pass of a shopper: a short text with a shopper hash and an expiry, signed with a key that CloudFront Functions have
 * (HMAC-SHA256, because they cannot verify ES256). It proves that the gate has seen a valid session of this shopper, so
 * CloudFront rejects clicks of bots without one (R8, L6). The gate still verifies the session itself.
 *
 *     v1.<shopper hash>.<expiry, epoch seconds>.<HMAC of what is before this dot>.<proof of the session>
 *
 * Only the gate makes and reads the proof, which is optional (edge/memory/passes.ts).
 *
 * A pass is signed with the key of the day in which it expires. Every key is published a day before the first pass needs
 * it, so all readers have it in time.
 */
import type { SaleId } from '../ids.ts'

export type Pass = { shopperHash: string; expiresAt: number }

/** Longer than a shopper waits for a sale, shorter than a day. */
export const passLifeSeconds = 6 * 3600

/** A pass that is valid for less time than this is replaced. */
export const renewBelowSeconds = passLifeSeconds / 2

export const passCookie = 'sluice_pass'
export const passHeader = 'x-sluice-pass'

/**
 * Returns the `Set-Cookie` text of a pass. Scripts of the page may read the cookie: a pass is useless without the session,
 * and the page calculates its turn from it.
 */
export function passCookieText(pass: string, maxAgeSeconds: number): string {
  return `${passCookie}=${pass}; Max-Age=${maxAgeSeconds}; Path=/; Secure; SameSite=Lax`
}

/**
 * The cookie that proves an invitation to CloudFront Functions: the HMAC of the shopper hash with the key of the sale's
 * list. CloudFront rejects clicks without it, so shoppers who are not invited cost no Redis command. The gate still checks
 * the list. Browsers send the cookie only with requests for this sale.
 */
const invitedCookie = 'sluice_invited'

const invitedLifeSeconds = 86_400

export function invitedCookieText(saleId: SaleId, proof: string): string {
  return `${invitedCookie}=${proof}; Max-Age=${invitedLifeSeconds}; Path=/api/sales/${saleId}; Secure; HttpOnly; SameSite=Lax`
}

export const shopperHashLength = 16

/** Its groups are the shopper hash, the expiry, the signature and the proof. */
export const passPattern = /^v1\.([\w-]{16})\.(\d{10})\.([\w-]{43})(?:\.([\w-]*))?$/

const daySeconds = 86_400

/** Returns the day whose key signs a pass, in days since 1970. */
export function dayOf(expiresAt: number): number {
  return Math.floor(expiresAt / daySeconds)
}

/** Keys by day (`dayOf`). */
export type PassKeys = ReadonlyMap<number, string>

/** Formats the keys as `<day> <key> <day> <key> ...`. */
export function passKeysText(keys: PassKeys): string {
  return [...keys].flat().join(' ')
}

/** Returns the keys in a text. Skips invalid ones. */
export function passKeysIn(text: string): PassKeys {
  const words = text.split(' ')
  const keys = new Map<number, string>()
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [day, key] = [Number(words[at]), words[at + 1]]
    if (Number.isSafeInteger(day) && key) keys.set(day, key)
  }
  return keys
}

/** Returns the days whose keys must exist at `now` (epoch ms): today and the next two days. */
export function passDays(now: number): number[] {
  const today = dayOf(now / 1000)
  return [today, today + 1, today + 2]
}
