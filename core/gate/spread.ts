/**
 * Random turns: every shopper has one random turn in the first seconds of a sale. It is unknown before the sale is started,
 * because it is derived from the start token. So a fast network or a script gains nothing, and the crowd is spread over
 * these seconds (R8). A sale that is started ahead of its time publishes the key of the turns then; shoppers know their
 * turns from then on, but cannot choose them.
 */

/** Hexadecimal digits of the HMAC that are used: 32 bits. */
const digits = 8

/** Returns the turn in ms after the start. `digest` is HMAC-SHA256(start token, shopper hash) in hexadecimal digits. */
export function spreadMs(digest: string, spreadSeconds: number): number {
  const part = Number.parseInt(digest.slice(0, digits), 16) / 2 ** (4 * digits)
  return Math.floor(part * spreadSeconds * 1000)
}
