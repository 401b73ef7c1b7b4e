/**
 * Verifies session tokens: those of the stage, and those that a shop signs for its customers
 * (core/people/customer-keys.ts). The algorithm, keys, issuer and audience are pinned here and never read from the
 * token; its `iss` and `kid` only select the keys to try. There may be several keys, so that a new key can take over
 * while tokens of the former one are still valid. A verified token is cached by its hash until it expires, so a
 * shopper's second request costs one hash. The token itself is not kept.
 *
 * Verifying is synchronous: through WebCrypto it would take half as long again, most of it waiting for another thread,
 * and an instance serves one request at a time.
 */
import crypto, { type KeyObject } from 'node:crypto'
import QuickLRU from 'quick-lru'
import { parseShopperId, type ShopperId } from '../../core/ids.ts'
import { decodeJson } from '../../core/lib/json.ts'
import type { CustomerAlgorithm, TokenFault } from '../../core/people/customer-keys.ts'
import type { Config } from '../config.ts'
import { thumbprintOf } from '../packed-secrets.ts'

/**
 * `keyId` is the id of the key that signed the session, by which the block list can end it. `customer` is there for a
 * customer of the shop: the name to show, and when the token ends (epoch ms).
 */
export type Shopper = {
  shopperId: ShopperId
  level: number
  roles: readonly string[]
  keyId: string
  customer?: { name: string; expiresAt: number }
}

/** A key to verify with. After `until`, epoch ms, it is good for nothing. */
export type VerifyKey = { id: string; kid: string | undefined; alg: CustomerAlgorithm; key: KeyObject; until?: number }

/**
 * An issuer of tokens. `shopperIn` reads the claims of a token whose signature, audience and times are good. `name` is
 * that of an issuer of customers.
 */
export type Issuer = {
  name?: string
  audiences: ReadonlySet<string>
  keys: readonly VerifyKey[]
  /** The longest time from `iat`, which then must be there, to `exp`. */
  maxLifeSeconds?: number
  shopperIn(claims: TokenClaims, keyId: string): Shopper | undefined
}

/** Issuers by the `iss` of their tokens. */
export type Issuers = ReadonlyMap<string, Issuer>

export type SessionTokens = {
  /**
   * The shopper of a valid token of ours or of one of `customers`; `expired` for a token that was valid before;
   * undefined for any other token. `isProven` may vouch for the signature of a token, made with the key of that id.
   * `onRefused` gets the name of the issuer of customers that is said to have signed a refused token, and the reason.
   */
  verify(
    token: string,
    customers?: Issuers,
    isProven?: IsProven,
    onRefused?: (issuerName: string, fault: TokenFault) => void,
  ): Shopper | 'expired' | undefined
  /** True when this instance has verified the token before, with a key that is still good, and it has not expired. */
  knows(token: string, customers?: Issuers): boolean
  /** True when the token says that another issuer than ours has signed it. */
  isForeign(token: string): boolean
}

/** True when the gate has verified the signature of the token with this digest before. */
type IsProven = (session: { digest: string; keyId: string }) => boolean

export type TokenRules = Pick<Config, 'publicKeys' | 'issuer' | 'audience'>

/** A token may be so old after its end, or live so much too long, s. */
const leewaySeconds = 5
/** How far the clock of an issuer may be ahead, s (RFC 7519, 4.1.5: no more than a few minutes). */
const maxAheadSeconds = 60
/** At least this many tokens are kept, at most twice as many. */
const maxRemembered = 10_000
const maxRoles = 16
const rolePattern = /^[a-z][a-z0-9-]{0,31}$/

/** Two numbers of 256 bits in base64url without padding (RFC 7518, 3.4; RFC 8037, 3.1). */
const shortSignature = /^[A-Za-z0-9_-]{86}$/
/** A number of 2,048 to 4,096 bits. */
const longSignature = /^[A-Za-z0-9_-]{342,683}$/

export type TokenClaims = Readonly<Record<string, unknown>>
type Session = { shopper: Shopper; expiresAt: number; issuer: Issuer; iss: string }
type Parts = { header: TokenClaims; claims: TokenClaims; signed: string; signature: string }

const noCustomers: Issuers = new Map()

/**
 * `clock` gives epoch ms.
 * @throws when a key is not an ES256 key
 */
export function createSessionTokens({ publicKeys, issuer, audience }: TokenRules, clock: () => number): SessionTokens {
  for (const { key } of publicKeys) requireEs256(key)
  const own: Issuer = {
    audiences: new Set([audience]),
    keys: publicKeys.map((key) => ({ ...key, id: idOf(key), alg: 'ES256' })),
    shopperIn: shopperOf,
  }
  const remembered = new QuickLRU<string, Session>({ maxSize: maxRemembered })
  const issuerOf = (iss: unknown, customers: Issuers) =>
    iss === issuer ? own : typeof iss === 'string' ? customers.get(iss) : undefined

  /** A remembered token counts only while its issuer is unchanged. */
  function recall(digest: string, now: number, customers: Issuers): Shopper | undefined {
    const known = remembered.get(digest)
    if (known === undefined || now >= known.expiresAt) return undefined
    return issuerOf(known.iss, customers) === known.issuer ? known.shopper : undefined
  }

  return {
    knows: (token, customers = noCustomers) => recall(digestOf(token), clock(), customers) !== undefined,
    isForeign(token) {
      const iss = partsOf(token)?.claims.iss
      return typeof iss === 'string' && iss !== issuer
    },
    verify(token, customers = noCustomers, isProven = () => false, onRefused = () => {}) {
      const now = clock()
      const digest = digestOf(token)
      const known = recall(digest, now, customers)
      if (known !== undefined) return known
      const parts = partsOf(token)
      const signer = parts && issuerOf(parts.claims.iss, customers)
      if (parts === undefined || signer === undefined) return undefined
      const { claims } = parts
      const key = keyThatSigned(parts, signer.keys, now, ({ id }) => isProven({ digest, keyId: id }))
      const session = key === undefined ? 'key' : sessionOf(signer, claims, key, now)
      if (typeof session === 'object') {
        remembered.set(digest, { ...session, issuer: signer, iss: String(claims.iss) })
        return session.shopper
      }
      if (signer.name !== undefined) onRefused(signer.name, session)
      // A page that was left open over night sends such a token.
      return session === 'expired' ? 'expired' : undefined
    },
  }
}

/** The digest by which a verified token is known. */
export const digestOf = (token: string) => crypto.hash('sha256', token, 'base64')

/** The id of a key on the block list. It follows from the settings, not from the `kid` that a token claims. */
function idOf({ kid, key }: Config['publicKeys'][number]): string {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return kid ?? thumbprintOf({ x, y })
}

function requireEs256({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): void {
  const isEs256 = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
  if (!isEs256) throw new Error('a session key is not a key for ES256')
}

/** The parts of a token that may be a session, unverified. */
function partsOf(token: string): Parts | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.')
  const header = objectIn(head)
  if (header === undefined || more.length > 0 || !isSession(header)) return undefined
  const claims = objectIn(body)
  return claims && { header, claims, signed: `${head}.${body}`, signature }
}

/** The header of a session token: no other kind of token, no extension. */
function isSession({ typ, crit }: TokenClaims): boolean {
  return crit === undefined && (typ === undefined || isTokenType(typ))
}

/** `JWT` in any spelling that RFC 7515, 4.1.9 allows. */
function isTokenType(typ: unknown): boolean {
  return typeof typ === 'string' && /^(?:application\/)?jwt$/i.test(typ)
}

/** Tries keys with the token's `kid`, and keys without one; all keys for a token without a `kid`. */
function keyThatSigned(
  { header, signed, signature }: Parts,
  keys: readonly VerifyKey[],
  now: number,
  isProven: (key: VerifyKey) => boolean,
): VerifyKey | undefined {
  const { alg, kid } = header
  const bytes = Buffer.from(signed)
  return keys.find(
    (key) =>
      key.alg === alg &&
      (kid === undefined || key.kid === undefined || key.kid === kid) &&
      (key.until === undefined || now < key.until) &&
      (isProven(key) || isSignedBy(key, bytes, signature)),
  )
}

function isSignedBy({ alg, key }: VerifyKey, signed: Buffer, signature: string): boolean {
  if (!(alg === 'RS256' ? longSignature : shortSignature).test(signature)) return false
  const bytes = Buffer.from(signature, 'base64url')
  if (alg === 'EdDSA') return crypto.verify(null, signed, key, bytes)
  return crypto.verify('sha256', signed, key, alg === 'ES256' ? derSignature(bytes) : bytes)
}

/** The JSON object in a part of a token; its own members only. */
function objectIn(part: string): TokenClaims | undefined {
  const json = decodeJson(Buffer.from(part, 'base64url'))
  if (!json.ok || typeof json.value !== 'object' || json.value === null) return undefined
  return Array.isArray(json.value) ? undefined : { ...json.value }
}

function isMeantFor(audiences: ReadonlySet<string>, claim: unknown): boolean {
  const given: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return given.some((one) => typeof one === 'string' && audiences.has(one))
}

/** Returns the session of a token that `key` has signed, or why it has none. */
function sessionOf(
  { audiences, maxLifeSeconds, shopperIn }: Issuer,
  claims: TokenClaims,
  key: VerifyKey,
  now: number,
): Pick<Session, 'shopper' | 'expiresAt'> | TokenFault {
  const expiresAt = expiryOf(claims, now, maxLifeSeconds)
  if (typeof expiresAt === 'string') return expiresAt
  if (!isMeantFor(audiences, claims.aud)) return 'audience'
  const shopper = shopperIn(claims, key.id)
  return shopper === undefined ? 'claims' : { shopper, expiresAt: Math.min(expiresAt, key.until ?? Infinity) }
}

/** Returns epoch ms, or what is wrong with the times. A time is a number, and `exp` must be there. */
function expiryOf({ exp, nbf, iat }: TokenClaims, now: number, maxLifeSeconds?: number): number | TokenFault {
  const latest = now / 1000 + maxAheadSeconds
  if (!isFiniteNumber(exp)) return 'claims'
  if (exp <= now / 1000 - leewaySeconds) return 'expired'
  for (const time of [nbf, iat]) {
    if (time !== undefined && !isFiniteNumber(time)) return 'claims'
    if (time !== undefined && time > latest) return 'future'
  }
  if (maxLifeSeconds === undefined) return exp * 1000
  if (!isFiniteNumber(iat)) return 'claims'
  return exp - iat > maxLifeSeconds + leewaySeconds ? 'too-long' : exp * 1000
}

/** JSON has no NaN, but a number that is too large is parsed as infinite. */
function isFiniteNumber(claim: unknown): claim is number {
  return Number.isFinite(claim)
}

function shopperOf(claims: TokenClaims, keyId: string): Shopper | undefined {
  const shopperId = parseShopperId(claims.sub)
  const level = parseLevel(claims.level)
  const roles = parseRoles(claims.roles)
  if (shopperId === undefined || level === undefined || roles === undefined) return undefined
  return { shopperId, level, roles, keyId }
}

/** A level that is no whole number makes the token invalid; without one it is 0. */
export function parseLevel(claim: unknown): number | undefined {
  if (claim === undefined) return 0
  return typeof claim === 'number' && Number.isSafeInteger(claim) && claim >= 0 ? claim : undefined
}

/** Roles are forwarded as one comma-separated header, so none may hold a comma. */
function parseRoles(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return []
  if (!Array.isArray(claim) || claim.length > maxRoles) return undefined
  const roles = claim.filter((role): role is string => typeof role === 'string' && rolePattern.test(role))
  return roles.length === claim.length ? roles : undefined
}

/** The bytes of each of the two numbers (RFC 7518, 3.4). */
const size = 32
/** Both numbers with a sign byte, their tags and lengths, and those of the whole. */
const maxLength = 2 + 2 * (2 + 1 + size)

/** The signature of 64 bytes in DER, as an ECDSA-Sig-Value (RFC 3279, 2.2.3). */
export function derSignature(signature: Buffer): Buffer {
  const der = Buffer.alloc(maxLength)
  let end = 2
  for (const from of [0, size]) {
    const to = from + size
    let first = from
    while (first < to - 1 && signature[first] === 0) first += 1
    // A first bit of 1 would be a minus sign.
    const sign = (signature[first] ?? 0) >= 0x80 ? 1 : 0
    der[end] = 0x02
    der[end + 1] = sign + to - first
    end += 2 + sign
    end += signature.copy(der, end, first, to)
  }
  der[0] = 0x30
  der[1] = end - 2
  return der.subarray(0, end)
}
