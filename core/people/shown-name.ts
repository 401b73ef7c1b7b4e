/** The name in the header of pages. It is not an identity. */

const maxLength = 64

/** Half of a surrogate pair. Some supported browsers lack `isWellFormed`. */
const halfOfPair = /\p{Cs}/u

/** Returns the name in a claim, cut to the maximum length of the header; undefined for a claim without a name. */
export function shownName(claim: unknown): string | undefined {
  const isName = typeof claim === 'string' && !halfOfPair.test(claim) && claim.trim() !== ''
  return isName ? claim.trim().slice(0, maxLength).replace(halfOfPair, '\u{FFFD}') : undefined
}

/** Returns the name of a shop's customer from the claims of the token: `name`, or else the subject. */
export function customerName({ name, sub }: Readonly<Record<string, unknown>>): string {
  return shownName(name) ?? String(sub)
}
