/** Tags of a stock's facts: reserve.lua says what they are for. */

/** A tag that no stock has had before: some 100 random bits, which need not be secret. */
export function newTag(): string {
  return [Math.random(), Math.random()].map((word) => word.toString(36).slice(2)).join('')
}
