/**
 * Verifies session tokens. The algorithm, keys, issuer and audience are pinned here and never read
 * from the token; its `kid` only selects the keys to try. There may be several keys, so that a new
 * key can take over while tokens of the former one are still valid. A verified token is cached by
 * its hash until it expires, so a shopper's second request costs one hash. The token itself is not
 * kept.
 *
 * Verifying is synchronous: through WebCrypto it would take half as long again, most of it waiting
 * for another thread, and an instance serves one request at a time.
 */
import crypto, { type KeyObject } from 'node:crypto'
import QuickLRU from 'quick-lru'
import { parseShopperId, type ShopperId } from '../../core/ids.ts'
import { decodeJson } from '../../core/lib/json.ts'
import type { Config } from '../config.ts'
import { derSignature } from '../der-signature.ts'
import { thumbprintOf } from '../packed-secrets.ts'

/** `keyId` is the id of the key that signed the session, by which the block list can end it. */
export type Shopper = { shopperId: ShopperId; level: number; roles: readonly string[]; keyId: string }

export type Tokens = {
  /**
   * The shopper of a valid token; `expired` for a token that was valid before; undefined for any
   * other token.
   */
  verify(token: string): Shopper | 'expired' | undefined
  /** Whether this instance has verified the token before and it has not expired. */
  knows(token: string): boolean
}

export type TokenRules = Pick<Config, 'publicKeys' | 'issuer' | 'audience'>

/** Largest difference between the clocks of issuer and edge. */
const leewaySeconds = 5
/** At least this many tokens are kept, at most twice as many. */
const maxRemembered = 10_000
const maxRoles = 16
const rolePattern = /^[a-z][a-z0-9-]{0,31}$/

/** Two numbers of 256 bits in base64url without padding (RFC 7518, 3.4). */
const signaturePattern = /^[A-Za-z0-9_-]{86}$/

type Claims = Readonly<Record<string, unknown>>
type Key = Config['publicKeys'][number] & { id: string }
type Signed = { claims: Claims; keyId: string }
type Session = { shopper: Shopper; expiresAt: number }

/**
 * `clock` gives epoch ms.
 * @throws when a key is not an ES256 key
 */
export function createTokens({ publicKeys, issuer, audience }: TokenRules, clock: () => number): Tokens {
  for (const { key } of publicKeys) requireEs256(key)
  const keys = publicKeys.map((key) => ({ ...key, id: idOf(key) }))
  const remembered = new QuickLRU<string, Session>({ maxSize: maxRemembered })

  function sessionOf({ claims, keyId }: Signed, now: number): Session | undefined {
    if (claims.iss !== issuer || !isMeantFor(audience, claims.aud)) return undefined
    const shopper = shopperOf(claims, keyId)
    const expiresAt = expiryOf(claims, now)
    return shopper === undefined || expiresAt === undefined ? undefined : { shopper, expiresAt }
  }

  function recall(digest: string, now: number): Shopper | undefined {
    const known = remembered.get(digest)
    return known !== undefined && now < known.expiresAt ? known.shopper : undefined
  }

  return {
    knows: (token) => recall(digestOf(token), clock()) !== undefined,
    verify(token) {
      const now = clock()
      const digest = digestOf(token)
      const known = recall(digest, now)
      if (known !== undefined) return known
      const signed = signedClaims(token, keys)
      const session = signed === undefined ? undefined : sessionOf(signed, now)
      if (session !== undefined) remembered.set(digest, session)
      return session?.shopper ?? (isExpired(signed?.claims, now) ? 'expired' : undefined)
    },
  }
}

const digestOf = (token: string) => crypto.hash('sha256', token, 'base64')

/** What names the key on the block list, whatever `kid` a token claims. */
function idOf({ kid, key }: Config['publicKeys'][number]): string {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return kid ?? thumbprintOf({ x, y })
}

/** A page that was left open over night sends such a token. */
function isExpired(claims: Claims | undefined, now: number): boolean {
  return isFiniteNumber(claims?.exp) && claims.exp * 1000 <= now
}

function requireEs256({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): void {
  const isEs256 = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
  if (!isEs256) throw new Error('a session key is not a key for ES256')
}

/** The claims, unchecked; undefined when none of the issuer's keys has signed the token. */
function signedClaims(token: string, keys: readonly Key[]): Signed | undefined {
  const [head = '', claims = '', signature = '', ...more] = token.split('.')
  const header = objectIn(head)
  if (header === undefined || more.length > 0 || !isSession(header)) return undefined
  if (!signaturePattern.test(signature)) return undefined
  const signed = Buffer.from(`${head}.${claims}`)
  const der = derSignature(Buffer.from(signature, 'base64url'))
  const signer = candidates(header, keys).find(({ key }) => crypto.verify('sha256', signed, key, der))
  const said = signer && objectIn(claims)
  return signer && said && { claims: said, keyId: signer.id }
}

/** The header of a session token: our algorithm, no other kind of token, no extension. */
function isSession(header: Claims): boolean {
  const { alg, typ, crit } = header
  return alg === 'ES256' && crit === undefined && (typ === undefined || isTokenType(typ))
}

/** `JWT` in any spelling that RFC 7515, 4.1.9 allows. */
function isTokenType(typ: unknown): boolean {
  return typeof typ === 'string' && /^(?:application\/)?jwt$/i.test(typ)
}

/** Keys with the token's `kid`, and keys without one; all keys for a token without a `kid`. */
function candidates({ kid }: Claims, keys: readonly Key[]): readonly Key[] {
  return kid === undefined ? keys : keys.filter((key) => key.kid === undefined || key.kid === kid)
}

/** The JSON object in a part of a token; its own members only. */
function objectIn(part: string): Claims | undefined {
  const json = decodeJson(Buffer.from(part, 'base64url'))
  if (!json.ok || typeof json.value !== 'object' || json.value === null) return undefined
  return Array.isArray(json.value) ? undefined : { ...json.value }
}

function isMeantFor(audience: string, claim: unknown): boolean {
  return claim === audience || (Array.isArray(claim) && claim.includes(audience))
}

/**
 * Epoch ms; undefined when the token has no expiry, has expired or is not valid yet, within the
 * leeway.
 */
function expiryOf({ exp, nbf, iat }: Claims, now: number): number | undefined {
  const earliest = now / 1000 - leewaySeconds
  const latest = now / 1000 + leewaySeconds
  const began = [nbf, iat].every((time) => time === undefined || (isFiniteNumber(time) && time <= latest))
  return began && isFiniteNumber(exp) && exp > earliest ? exp * 1000 : undefined
}

/** JSON has no NaN, but a number that is too large is parsed as infinite. */
function isFiniteNumber(claim: unknown): claim is number {
  return Number.isFinite(claim)
}

function shopperOf(claims: Claims, keyId: string): Shopper | undefined {
  const shopperId = parseShopperId(claims.sub)
  const level = parseLevel(claims.level)
  const roles = parseRoles(claims.roles)
  if (shopperId === undefined || level === undefined || roles === undefined) return undefined
  return { shopperId, level, roles, keyId }
}

function parseLevel(claim: unknown): number | undefined {
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
