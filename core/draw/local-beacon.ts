/**
 * A beacon whose key is on this machine, for systems without money and for trials. Its owner knows every later round, so its
 * chain says that it is local, and so do the rules of a draw.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { type Beacon, localChain, messageOfRound, verifyRound } from './beacon.ts'
import { type BeaconChain, timeOfRound } from './chain.ts'

const { shortSignatures: bls } = bls12_381

/** The key follows from the 48 bytes of `seed`; `period` is in seconds, `genesis` in Unix seconds, and `clock` gives epoch ms. */
export type LocalBeaconOptions = { seed: Uint8Array; period: number; genesis: number; clock: () => number }

export type LocalBeacon = Beacon & { chain: BeaconChain }

export function localBeacon({ seed, period, genesis, clock }: LocalBeaconOptions): LocalBeacon {
  const { secretKey, publicKey } = bls.keygen(seed)
  const chain = localChain({ publicKey: publicKey.toHex(true), period, genesis })
  return {
    chain,
    async round(round) {
      const due = timeOfRound(chain, round)
      if (clock() < due) return { kind: 'late', reasons: [`due at ${new Date(due).toISOString()}`] }
      const signature = bls.Signature.toHex(bls.sign(messageOfRound(round), secretKey))
      const verified = verifyRound(chain, round, signature)
      if (verified === undefined) throw new Error(`round ${round} is not a round of this chain`)
      return { kind: 'published', ...verified }
    },
  }
}
