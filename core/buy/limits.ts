/** How much and how often a page may ask for, and the forms of what its click brings. */

/** The largest quantity any sale could allow; the sale's own `maxPerOrder` is checked where the sale is known. */
export const maxQuantity = 1000

/** C7: a page sends one click in this time. */
export const clickIntervalMs = 10_000

const startTokenPattern = /^[A-Za-z0-9_-]{22,64}$/
const challengePattern = /^[A-Za-z0-9+/=_-]{1,1800}$/

/** True when `value` has the form of a start token. */
export function isStartToken(value: unknown): value is string {
  return typeof value === 'string' && startTokenPattern.test(value)
}

/** True when `value` has the form of a solved challenge, in ALTCHA's base64 form. */
export function isSolvedChallenge(value: unknown): value is string {
  return typeof value === 'string' && challengePattern.test(value)
}
