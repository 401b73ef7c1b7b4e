/** Uniform random integers from uniform random words. */

/** Returns a uniform integer from 0 to `below` - 1; `below` is at most 2^53. */
export type RandomInteger = (below: number) => number

const wordRange = 2 ** 32
const highBits = 21
const wideRange = 2 ** (32 + highBits)

/** Uses `nextWord` (32 bits). Rejects values at the end of its range, because a plain remainder favours small numbers. */
export function randomIntegerFrom(nextWord: () => number): RandomInteger {
  const wide = () => (nextWord() >>> (32 - highBits)) * wordRange + nextWord()
  return (below) => {
    if (!Number.isSafeInteger(below) || below < 1) throw new RangeError(`nothing can be drawn below ${below}`)
    const [next, range] = below <= wordRange ? [nextWord, wordRange] : [wide, wideRange]
    const fair = range - (range % below)
    for (;;) {
      const value = next()
      if (value < fair) return value % below
    }
  }
}
