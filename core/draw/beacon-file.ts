/** `beacon.json`, the round of the beacon as a draw publishes it (docs/reference/draw.md, "The beacon"). */
import { sha256 } from '@noble/hashes/sha2.js'
import * as z from 'zod/mini'
import { readJson } from '../lib/parse.ts'
import { bytesOfHex, hexOf } from './bytes.ts'
import type { BeaconChain, VerifyRound } from './chain.ts'
import { anyWhole, hashText, hexText } from './rules.ts'

export const roundFile = 'beacon.json'

const beaconFile = /* @__PURE__ */ z.strictObject({
  round: anyWhole,
  randomness: hashText,
  signature: hexText,
})

export function roundBytes({ round, randomness, signature }: z.output<typeof beaconFile>): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ round, randomness, signature })}\n`)
}

type RoundFault = 'beacon-unreadable' | 'beacon-round' | 'beacon-randomness' | 'beacon-signature'

/** The randomness in the bytes of `beacon.json`, also of a faulty round; undefined if they cannot be read. */
export function checkRound(
  file: Uint8Array,
  rules: { beacon: BeaconChain; round: number },
  { fault, verifyRound }: { fault: (name: RoundFault, detail: string) => void; verifyRound: VerifyRound },
): Uint8Array | undefined {
  const read = readJson(beaconFile, file)
  if (!read.ok) {
    fault('beacon-unreadable', `beacon.json: ${read.detail}`)
    return undefined
  }
  const { round, randomness, signature } = read.value
  if (round !== rules.round) fault('beacon-round', `the round is ${round}, that of the rules ${rules.round}`)
  if (hexOf(sha256(bytesOfHex(signature))) !== randomness)
    fault('beacon-randomness', 'the randomness is not the hash of the signature')
  if (verifyRound(rules.beacon, rules.round, signature) === undefined)
    fault('beacon-signature', `the signature is not that of round ${rules.round} by the key of the rules`)
  return bytesOfHex(randomness)
}
