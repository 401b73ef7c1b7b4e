/**
 * The pass of a shopper: a short text that says who it belongs to and until when, signed with a key
 * that CloudFront's functions have (HMAC-SHA256, because they cannot verify ES256). It only shows that
 * the gate has seen a valid session of this shopper, so that clicks of robots without one end at
 * CloudFront (R8, L6); the session itself is still verified.
 *
 *     v1.<shopper hash>.<expiry, epoch seconds>.<HMAC of what is before this dot>.<proof of the session>
 *
 * The proof is for the gate alone, which makes it and may leave it out (edge/memory/passes.ts).
 *
 * A pass is signed with the key of the day in which it expires. Every key is made a day before the
 * first pass needs it, so a new one is everywhere in time.
 */
import type { SaleId } from '../ids.ts'

export type Pass = { shopperHash: string; expiresAt: number }

/** Seconds: longer than a shopper waits for a sale, shorter than a day. */
export const passLifeSeconds = 6 * 3600

/** A pass that is valid for less than this, s, is replaced. */
export const renewBelowSeconds = passLifeSeconds / 2

export const passCookie = 'sluice_pass'
export const passHeader = 'x-sluice-pass'

/**
 * The cookie of a pass, as the gate or a sign-in sets it. Scripts of the page may read it: it proves
 * nothing without the session, and the page needs its own turn from it.
 */
export function passCookieText(pass: string, maxAgeSeconds: number): string {
  return `${passCookie}=${pass}; Max-Age=${maxAgeSeconds}; Path=/; Secure; SameSite=Lax`
}

/**
 * Shows CloudFront's functions that the shopper is on the list of a sale by invitation: the HMAC of the shopper's hash
 * under the key of that list. Without it a click there ends before the gate, so shoppers who are not invited cost no
 * command of Redis; with it the gate still asks the list. Browsers send it with clicks at this sale alone.
 */
const invitedCookie = 'sluice_invited'

const invitedLifeSeconds = 86_400

export function invitedCookieText(saleId: SaleId, proof: string): string {
  return `${invitedCookie}=${proof}; Max-Age=${invitedLifeSeconds}; Path=/api/sales/${saleId}; Secure; HttpOnly; SameSite=Lax`
}

export const shopperHashLength = 16

/** A whole pass: its shopper hash, its expiry, its signature and its proof are groups. */
export const passPattern = /^v1\.([\w-]{16})\.(\d{10})\.([\w-]{43})(?:\.([\w-]*))?$/

const daySeconds = 86_400

/** Returns the day, in the number of days since 1970, whose key signs a pass. */
export function dayOf(expiresAt: number): number {
  return Math.floor(expiresAt / daySeconds)
}

/** The keys by day. */
export type PassKeys = ReadonlyMap<number, string>

/** `<day> <key> <day> <key> ...` */
export function passKeysText(keys: PassKeys): string {
  return [...keys].flat().join(' ')
}

/** Returns the keys in a text; what is no key is left out. */
export function passKeysIn(text: string): PassKeys {
  const words = text.split(' ')
  const keys = new Map<number, string>()
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [day, key] = [Number(words[at]), words[at + 1]]
    if (Number.isSafeInteger(day) && key) keys.set(day, key)
  }
  return keys
}

/** Returns the days whose keys there must be at `now` (epoch ms): today, tomorrow and the day after. */
export function passDays(now: number): number[] {
  const today = dayOf(now / 1000)
  return [today, today + 1, today + 2]
}
