/**
 * A beacon signs one round in each period, and nobody can compute the signature earlier. It is drand's network `quicknet`,
 * or the local beacon of a system without money; the rounds of both verify in the same way. A round has exactly one valid
 * signature, so two mirrors with different answers cannot both be right.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { type BeaconChain, timeOfRound } from './rules.ts'

const scheme = 'bls-unchained-g1-rfc9380'

/** `randomness` and `signature` are lower-case hex of 32 and 48 bytes, as drand publishes them. */
export type BeaconRound = { round: number; randomness: string; signature: string }

/** `late`: no source returned a valid round, for `reasons`. A later call tries again; no other round replaces it. */
type BeaconAnswer = ({ kind: 'published' } & BeaconRound) | { kind: 'late'; reasons: readonly string[] }

/** Never throws for an unavailable source, and returns only verified rounds. */
export type Beacon = { round: (round: number) => Promise<BeaconAnswer> }

/** A beacon and its chain, which new rules name. */
export type DrawBeacon = Beacon & { chain: BeaconChain }

/** The network of drand that draws use, with the values of https://docs.drand.love/developer/http-api. */
export const quicknet: BeaconChain = {
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  period: 3,
  genesis: 1_692_803_367,
  scheme,
  isLocal: false,
}

type ChainKey = Pick<BeaconChain, 'publicKey' | 'period' | 'genesis'>

/** Describes a local beacon with this key. Its hash names the key. */
export function localChain({ publicKey, period, genesis }: ChainKey): BeaconChain {
  const hash = bytesToHex(sha256(new TextEncoder().encode(`local ${period} ${genesis} ${publicKey}`)))
  return { publicKey, period, genesis, hash, scheme, isLocal: true }
}

/** True for exactly the pinned chain, or for one that declares itself local. */
export function isKnownChain(chain: BeaconChain): boolean {
  const known = chain.isLocal ? localChain(chain) : quicknet
  return (Object.keys(quicknet) as (keyof BeaconChain)[]).every((name) => chain[name] === known[name])
}

const { shortSignatures: bls } = bls12_381
const g1Domain = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

/** Returns the point of G1 that a chain signs for `round`: SHA-256 of the round as 8 bytes, big-endian, hashed to the curve (RFC 9380). */
export function messageOfRound(round: number) {
  const bytes = new DataView(new ArrayBuffer(8))
  bytes.setBigUint64(0, BigInt(round))
  return bls.hash(sha256(new Uint8Array(bytes.buffer)), g1Domain)
}

/**
 * Returns the round with its randomness (SHA-256 of the signature), or undefined unless `signature` is that of `round` on
 * a known chain. The signature is 96 lower-case hex digits: the compressed point, which has exactly one encoding. A point
 * outside the subgroup is rejected, because the pairing alone does not detect it.
 */
export function verifyRound(chain: BeaconChain, round: number, signature: string): BeaconRound | undefined {
  if (!isKnownChain(chain) || !Number.isSafeInteger(round) || round < 1 || !/^[0-9a-f]{96}$/.test(signature))
    return undefined
  try {
    const point = bls.Signature.fromHex(signature)
    const key = bls12_381.G2.Point.fromHex(chain.publicKey)
    // Infinity would be a valid signature of every round under the key infinity.
    if (point.is0() || key.is0() || !bls.verify(point, messageOfRound(round), key)) return undefined
  } catch {
    // The bytes are not a point of the group.
    return undefined
  }
  return { round, randomness: bytesToHex(sha256(hexToBytes(signature))), signature }
}

/** The key follows from the 48 bytes of `seed`; `period` is in seconds, `genesis` in Unix seconds, and `clock` gives epoch ms. */
export type LocalBeaconOptions = { seed: Uint8Array; period: number; genesis: number; clock: () => number }

/** Creates a beacon whose key is on this machine, for systems without money and for trials. Its owner knows every future round. */
export function localBeacon({ seed, period, genesis, clock }: LocalBeaconOptions): DrawBeacon {
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
