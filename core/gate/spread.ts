/**
 * Spread: the first seconds of a sale are one pot. Every shopper has one instant in them, which is unknown before the
 * sale is started, because it follows from the start token. So a fast network or a script wins nothing there, and the
 * crowd arrives over these seconds instead of at once (R8). A sale that is started ahead of its time publishes its
 * token then; the turns are known from then on, and still no shopper can choose one.
 */

/** How many hexadecimal digits of the HMAC decide: 32 bits. */
const digits = 8

/** Returns the milliseconds after the start. `digest` is HMAC-SHA256(start token, shopper hash) in hexadecimal digits. */
export function spreadMs(digest: string, spreadSeconds: number): number {
  const part = Number.parseInt(digest.slice(0, digits), 16) / 2 ** (4 * digits)
  return Math.floor(part * spreadSeconds * 1000)
}
