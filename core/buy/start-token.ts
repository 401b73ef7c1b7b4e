/** The forms of a start token and of a solved challenge, which a click brings. */

const startTokenPattern = /^[A-Za-z0-9_-]{22,64}$/
const challengePattern = /^[A-Za-z0-9+/=_-]{1,1800}$/

/** Whether `value` has the form of a start token. */
export function isStartToken(value: unknown): value is string {
  return typeof value === 'string' && startTokenPattern.test(value)
}

/** Whether `value` has the form of a solved challenge, in ALTCHA's base64 form. */
export function isSolvedChallenge(value: unknown): value is string {
  return typeof value === 'string' && challengePattern.test(value)
}
