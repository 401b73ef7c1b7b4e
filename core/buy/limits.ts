/** Limits of a purchase, and the formats of the tokens that a click sends. */

/** Upper limit for every sale. The sale's own `maxPerOrder` is checked where the sale is known. */
export const maxQuantity = 1000

/** C7: a page sends at most one click in this time, ms. */
export const clickIntervalMs = 10_000

const startTokenPattern = /^[A-Za-z0-9_-]{22,64}$/
const challengePattern = /^[A-Za-z0-9+/=_-]{1,1800}$/

export function isStartToken(value: unknown): value is string {
  return typeof value === 'string' && startTokenPattern.test(value)
}

/** True when `value` has the form of a solved challenge, in ALTCHA's base64 form. */
export function isSolvedChallenge(value: unknown): value is string {
  return typeof value === 'string' && challengePattern.test(value)
}
