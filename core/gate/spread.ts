/**
 * Spread: the first seconds of a sale are one pot. Every shopper has one instant in them, which
 * is unknown before the sale is started, because it follows from the start token. So a fast network
 * or a script wins nothing there, and the crowd arrives over these seconds instead of at once (R8). A sale
 * that is started ahead of its time publishes its token then; the turns are known from then on, and still
 * no shopper can choose one.
 */

/**
 * Clicks in a second that the gate takes in a new account of AWS, whose functions may run 1,000 at once. What another account
 * takes says `npm run preflight`; `test/cli/preflight.test.ts` compares the two.
 */
const clicksPerSecond = 435

/** Proposals are multiples of this, in seconds: finer ones would pretend that the forecast is exact. */
export const spreadStep = 10

/** A fast network or a script is there so much sooner than a person, in seconds. */
const aheadSeconds = 0.2

/** A fair sale gives a fast network at most so many times the chance of the others. */
const fairTimes = 1.25

/** `units` is `Infinity` for an unlimited stock. */
type Crowd = { shoppers: number; units: number }

/**
 * How many times the chance of the others a fast network has (docs/guide/gate.md, Spread); 1 with a unit for every shopper,
 * and `Infinity` without random turns, where it takes what there is.
 */
export function fasterTimes({ shoppers, units }: Crowd, spreadSeconds: number): number {
  return shoppers <= units ? 1 : 1 + (aheadSeconds * shoppers) / (spreadSeconds * units)
}

/** The `spreadSeconds` that suit a crowd, however long; 0 where the gate takes it at once and each shopper gets a unit. */
export function spreadFor({ shoppers, units }: Crowd): number {
  const forGate = shoppers <= clicksPerSecond * spreadStep ? 0 : shoppers / clicksPerSecond
  const fair = shoppers <= units ? 0 : (aheadSeconds * shoppers) / (units * (fairTimes - 1))
  return spreadStep * Math.ceil(Math.max(forGate, fair) / spreadStep)
}

/** How many hexadecimal digits of the HMAC decide: 32 bits. */
const digits = 8

/**
 * Milliseconds after the start. `digest` is HMAC-SHA256(start token, shopper hash) in hexadecimal
 * digits.
 */
export function spreadMs(digest: string, spreadSeconds: number): number {
  const part = Number.parseInt(digest.slice(0, digits), 16) / 2 ** (4 * digits)
  return Math.floor(part * spreadSeconds * 1000)
}
