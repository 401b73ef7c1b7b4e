/** The name of a person in the header of the pages. It proves nothing. */

const maxLength = 64

/** Half of a surrogate pair. `isWellFormed` is newer than browsers that pages are built for. */
const halfOfPair = /\p{Cs}/u

/** Returns the name in a claim of a token, cut to what the header shows; undefined for a claim that is no name. */
export function shownName(claim: unknown): string | undefined {
  const isName = typeof claim === 'string' && !halfOfPair.test(claim) && claim.trim() !== ''
  return isName ? claim.trim().slice(0, maxLength).replace(halfOfPair, '\u{FFFD}') : undefined
}

/** Returns the name of a shop's own customer whose token has those claims: `name`, or else the subject. */
export function customerName({ name, sub }: Readonly<Record<string, unknown>>): string {
  return shownName(name) ?? String(sub)
}
