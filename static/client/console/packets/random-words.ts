/**
 * Words of 32 bits out of the browser's own chance, fetched many at a time because a call for each
 * would be slow.
 */

/** As many as one call may ask for: 65,536 bytes. */
const wordsAtOnce = 16_384

export function randomWords(): () => number {
  const words = new Uint32Array(wordsAtOnce)
  let at = wordsAtOnce
  return () => {
    if (at === wordsAtOnce) {
      crypto.getRandomValues(words)
      at = 0
    }
    const word = words[at] ?? 0
    at += 1
    return word
  }
}
