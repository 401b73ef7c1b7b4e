/**
 * Who a session token belongs to. The algorithm, keys, issuer and audience are pinned here and never read from the
 * token; its `kid` only says which of the keys to try. There may be several keys, so that a new one can take over
 * while tokens of the former one are still good. A verified token is remembered by its hash until it expires, so a shopper's second click costs one
 * hash; the token itself is not kept.
 *
 * The library is trusted with the form, the header and the signature, and with nothing else: it would take a token
 * that never expires, and it reads the claims before it knows who wrote them.
 */
import { hash, type webcrypto } from 'node:crypto'
import { verify } from 'hono/utils/jwt/jwt'
import {
  JwtAlgorithmMismatch,
  JwtHeaderInvalid,
  JwtTokenInvalid,
  JwtTokenSignatureMismatched,
} from 'hono/utils/jwt/types'
import QuickLRU from 'quick-lru'
import { parseShopperId, type ShopperId } from '../core/ids.ts'
import { decodeJson } from '../core/json.ts'
import type { Config } from './config.ts'

export type Shopper = { shopperId: ShopperId; level: number; roles: readonly string[] }

export type Tokens = {
  /** The shopper the token proves; `over` for one that was proven once and ran out; undefined for any other token. */
  verify(token: string): Promise<Shopper | 'over' | undefined>
  /** Whether this instance has seen the token prove a shopper, and it still does. */
  knows(token: string): boolean
}

export type TokenRules = Pick<Config, 'publicKeys' | 'issuer' | 'audience'>

/** Clocks of issuer and edge may differ by this much, and not more. */
const leewaySeconds = 5
/** At least so many tokens are remembered, at most twice as many. */
const maxRemembered = 10_000
const maxRoles = 16
const rolePattern = /^[a-z][a-z0-9-]{0,31}$/

/** How the library says that a token is no good; any other error is a fault of ours. */
const tokenFaults = [JwtTokenInvalid, JwtHeaderInvalid, JwtAlgorithmMismatch, JwtTokenSignatureMismatched]

type Claims = Readonly<Record<string, unknown>>
type Key = { kid: string | undefined; key: webcrypto.CryptoKey }
type Session = { shopper: Shopper; expiresAt: number }

/** `clock` gives epoch ms. Throws when a key is not one for ES256. */
export function createTokens({ publicKeys, issuer, audience }: TokenRules, clock: () => number): Tokens {
  const keys = publicKeys.map(({ kid, key }) => ({
    kid,
    key: key.toCryptoKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify']),
  }))
  const remembered = new QuickLRU<string, Session>({ maxSize: maxRemembered })

  function sessionOf(claims: Claims, now: number): Session | undefined {
    if (claims.iss !== issuer || !isMeantFor(audience, claims.aud)) return undefined
    const shopper = shopperOf(claims)
    const expiresAt = expiryOf(claims, now)
    return shopper === undefined || expiresAt === undefined ? undefined : { shopper, expiresAt }
  }

  function recall(digest: string, now: number): Shopper | undefined {
    const known = remembered.get(digest)
    return known !== undefined && now < known.expiresAt ? known.shopper : undefined
  }

  return {
    knows: (token) => recall(digestOf(token), clock()) !== undefined,
    async verify(token) {
      const now = clock()
      const digest = digestOf(token)
      const known = recall(digest, now)
      if (known !== undefined) return known
      const claims = await signedClaims(token, keys)
      const session = claims === undefined ? undefined : sessionOf(claims, now)
      if (session !== undefined) remembered.set(digest, session)
      return session?.shopper ?? (isOver(claims, now) ? 'over' : undefined)
    },
  }
}

const digestOf = (token: string) => hash('sha256', token, 'base64')

/** Whoever left a page open over night has such a token. */
function isOver(claims: Claims | undefined, now: number): boolean {
  return isFiniteNumber(claims?.exp) && claims.exp * 1000 <= now
}

/** What the issuer signed, whatever it is; undefined when it did not sign this with any of its keys. */
async function signedClaims(token: string, keys: readonly Key[]): Promise<Claims | undefined> {
  for (const key of candidates(token, keys)) {
    const claims = await claimsSignedBy(key, token)
    if (claims !== undefined) return claims
  }
  return undefined
}

/** The key that the token names. A token that names none may be of any key, and so may any token be of a key without a name. */
function candidates(token: string, keys: readonly Key[]): readonly Key[] {
  const kid = kidOf(token)
  return kid === undefined ? keys : keys.filter((key) => key.kid === undefined || key.kid === kid)
}

function kidOf(token: string): unknown {
  const header = decodeJson(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url'))
  if (!header.ok || typeof header.value !== 'object') return undefined
  const { kid }: { kid?: unknown } = { ...header.value }
  return kid
}

async function claimsSignedBy({ key }: Key, token: string): Promise<Claims | undefined> {
  try {
    return { ...(await verify(token, key, { alg: 'ES256', exp: false, nbf: false, iat: false })) }
  } catch (error) {
    if (tokenFaults.some((fault) => error instanceof fault)) return undefined
    throw error
  }
}

function isMeantFor(audience: string, claim: unknown): boolean {
  return claim === audience || (Array.isArray(claim) && claim.includes(audience))
}

/** The end of the token, epoch ms; undefined when it has none, is over or has not begun, by a clock within the leeway. */
function expiryOf({ exp, nbf, iat }: Claims, now: number): number | undefined {
  const earliest = now / 1000 - leewaySeconds
  const latest = now / 1000 + leewaySeconds
  const began = [nbf, iat].every((time) => time === undefined || (isFiniteNumber(time) && time <= latest))
  return began && isFiniteNumber(exp) && exp > earliest ? exp * 1000 : undefined
}

/** JSON has no NaN, but a number that is too large for it is read as infinite. */
function isFiniteNumber(claim: unknown): claim is number {
  return Number.isFinite(claim)
}

function shopperOf(claims: Claims): Shopper | undefined {
  const shopperId = parseShopperId(claims.sub)
  const level = parseLevel(claims.level)
  const roles = parseRoles(claims.roles)
  if (shopperId === undefined || level === undefined || roles === undefined) return undefined
  return { shopperId, level, roles }
}

function parseLevel(claim: unknown): number | undefined {
  if (claim === undefined) return 0
  return typeof claim === 'number' && Number.isSafeInteger(claim) && claim >= 0 ? claim : undefined
}

/** Roles travel on as one comma separated header, so none may hold a comma. */
function parseRoles(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return []
  if (!Array.isArray(claim) || claim.length > maxRoles) return undefined
  const roles = claim.filter((role): role is string => typeof role === 'string' && rolePattern.test(role))
  return roles.length === claim.length ? roles : undefined
}
