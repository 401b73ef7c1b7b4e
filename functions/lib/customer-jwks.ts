/** Reads the keys of a set (RFC 7517) that can sign tokens of customers, and rotates former keys out. */
import { type AsymmetricKeyDetails, checkPrimeSync, createPublicKey, hash, type KeyObject } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { maxCustomerKeys } from '../../core/people/customer-issuer.ts'
import {
  type CustomerAlgorithm,
  type CustomerKey,
  customerTokenSeconds,
  type PublicJwk,
} from '../../core/people/customer-keys.ts'

/** The keys of a set, or why it cannot be used. `failure` is a sentence without its subject and never contains a key. */
export type ReadKeys = readonly CustomerKey[] | { failure: string }

type Jwk = Readonly<Record<string, unknown>>

/** Members of private keys and of shared keys (RFC 7518, 6). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const minModulusBits = 2048
const maxModulusBits = 4096
const maxKidLength = 255

/** Returns the keys that sign with ES256, RS256 or EdDSA. Keys for other uses may be at the same address. */
export function readCustomerKeys(keys: readonly Jwk[]): ReadKeys {
  if (keys.some((key) => secretMembers.some((member) => Object.hasOwn(key, member)))) {
    return { failure: 'holds a private or shared key: publish only public ones, and replace this one' }
  }
  const found = keys.map(readKey).filter((key) => key !== undefined)
  const unique = [...new Map(found.map((key) => [key.id, key])).values()]
  if (unique.length === 0) {
    return { failure: 'has no public key for ES256 (P-256), EdDSA (Ed25519) or RS256 (2048 to 4096 bits)' }
  }
  if (unique.length > maxCustomerKeys) return { failure: `has more than ${maxCustomerKeys} keys` }
  // Last, after the limit of keys: a primality test takes seconds.
  if (unique.some(({ jwk }) => jwk.kty === 'RSA' && checkPrimeSync(toBigInt(jwk.n))))
    return { failure: 'holds a key whose modulus is a prime, with which anybody can sign: replace it' }
  return unique
}

/** Returns undefined for a key that signs no tokens of customers. */
function readKey(key: Jwk): CustomerKey | undefined {
  const { use, key_ops: operations, alg, kid } = key
  if (use !== undefined && use !== 'sig') return undefined
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined
  const known = describePublicKey(importUsableKey(describePublicKey(key)?.jwk)?.export({ format: 'jwk' }) ?? {})
  if (known === undefined || (alg !== undefined && !known.names.some((name) => name === alg))) return undefined
  const isNamed = typeof kid === 'string' && kid !== '' && kid.length <= maxKidLength
  return {
    id: thumbprintOf(known.jwk),
    ...(isNamed && { kid }),
    alg: known.alg,
    jwk: known.jwk,
  }
}

/** Returns the public members of the key, its algorithm, and the names that its `alg` may have (RFC 9864). */
function describePublicKey({
  kty,
  crv,
  x,
  y,
  n,
  e,
}: Jwk): { alg: CustomerAlgorithm; names: readonly string[]; jwk: PublicJwk } | undefined {
  if (kty === 'EC' && crv === 'P-256' && typeof x === 'string' && typeof y === 'string') {
    return { alg: 'ES256', names: ['ES256'], jwk: { kty, crv, x, y } }
  }
  if (kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string') {
    return { alg: 'EdDSA', names: ['EdDSA', 'Ed25519'], jwk: { kty, crv, x } }
  }
  if (kty === 'RSA' && typeof n === 'string' && typeof e === 'string') {
    return { alg: 'RS256', names: ['RS256'], jwk: { kty, n, e } }
  }
  return undefined
}

/** Returns the digest of the required members, here all members, in the order of their names (RFC 7638, 3). */
function thumbprintOf(jwk: PublicJwk): string {
  const members = Object.entries(jwk).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify(Object.fromEntries(members)), 'base64url')
}

/**
 * Returns the key if only its owner can sign with it, as far as the public half shows. Exporting the result gives one
 * spelling, and so one id, for all spellings of a key.
 */
function importUsableKey(jwk: PublicJwk | undefined): KeyObject | undefined {
  if (jwk === undefined) return undefined
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
    if (jwk.kty === 'OKP' && ed25519.Point.fromBytes(Buffer.from(jwk.x, 'base64url')).isSmallOrder()) return undefined
    return jwk.kty !== 'RSA' || isUsableRsa(toBigInt(jwk.n), key.asymmetricKeyDetails) ? key : undefined
  } catch {
    // Not a point of the curve, or not a number.
    return undefined
  }
}

const toBigInt = (n: string): bigint => BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`)

/** Requires a modulus without a small factor (NIST SP 800-89, 5.3.3) and an odd exponent over 2^16 (FIPS 186-5, A.1.1). */
function isUsableRsa(
  modulus: bigint,
  { modulusLength = 0, publicExponent: e = 0n }: AsymmetricKeyDetails = {},
): boolean {
  if (modulusLength < minModulusBits || modulusLength > maxModulusBits) return false
  if (e % 2n === 0n || e < 65_537n || e >= 2n ** 256n) return false
  for (let factor = 2n; factor < 752n; factor += 1n) if (modulus % factor === 0n) return false
  return true
}

/**
 * Returns the keys after the shop has published `present`. A key that is no longer published stays as long as a token
 * that it signed may live, so customers stay signed in during a rotation. The block list ends a key at once. `now` is
 * epoch ms.
 */
export function rotateKeys(
  former: readonly CustomerKey[],
  present: readonly CustomerKey[],
  now: number,
): readonly CustomerKey[] {
  const published = new Set(present.map(({ id }) => id))
  const ending = former
    .filter(({ id }) => !published.has(id))
    .map((key) => ({ ...key, until: key.until ?? now + customerTokenSeconds * 1000 }))
    .filter(({ until }) => until > now)
  return [...present, ...ending]
}
