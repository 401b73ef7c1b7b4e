/** Whole numbers drawn evenly, out of words that are drawn evenly. */

/** A whole number from 0 up to, not including, `below` (at most 2^53), each as likely as the others. */
export type Draw = (below: number) => number

const wordRange = 2 ** 32
const highBits = 21
const wideRange = 2 ** (32 + highBits)

/**
 * Draws from `nextWord`, whose words are whole numbers of 32 bits. What is left over at the end of the range is drawn again,
 * for a mere remainder would favour the small numbers.
 */
export function drawFrom(nextWord: () => number): Draw {
  const wide = () => (nextWord() >>> (32 - highBits)) * wordRange + nextWord()
  return (below) => {
    if (!Number.isSafeInteger(below) || below < 1) throw new RangeError(`nothing can be drawn below ${below}`)
    const [next, range] = below <= wordRange ? [nextWord, wordRange] : [wide, wideRange]
    const fair = range - (range % below)
    for (;;) {
      const drawn = next()
      if (drawn < fair) return drawn % below
    }
  }
}
