/** The chain of a beacon, and when its rounds are due. Without the library that verifies them. */

/**
 * The chain of a beacon, as the rules of a draw publish it. `hash` and `publicKey` are lower-case hex (32 bytes, and a
 * compressed point of G2), `period` seconds, and `genesis` the time of round 1 in Unix seconds. `isLocal`: its key belongs
 * to the machine that runs the sale, so it proves nothing to others.
 */
export type BeaconChain = {
  hash: string
  publicKey: string
  period: number
  genesis: number
  scheme: string
  isLocal: boolean
}

/** Verifies the signature of a round of a chain, lower-case hexadecimal digits; undefined for a wrong one. */
export type VerifyRound = (chain: BeaconChain, round: number, signature: string) => object | undefined

/** The last round whose time is not after `time`, epoch ms; 0 before the first. */
export function roundAt({ genesis, period }: BeaconChain, time: number): number {
  return Math.max(0, Math.floor((time - 1000 * genesis) / (1000 * period)) + 1)
}

/** When `round` is due, epoch ms. */
export function timeOfRound({ genesis, period }: BeaconChain, round: number): number {
  return (genesis + (round - 1) * period) * 1000
}
