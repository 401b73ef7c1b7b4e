/**
 * Who a session token belongs to. The algorithm, issuer and audience are pinned here and never read from the
 * token. A verified token is remembered by its hash until it expires, so a shopper's second click costs one
 * hash; the token itself is not kept.
 */
import { hash, type KeyObject } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { parseShopperId, type ShopperId } from '../core/ids.ts'

export type Shopper = { shopperId: ShopperId; level: number; roles: readonly string[] }

export type Tokens = {
  /** The shopper the token proves, or undefined for any token that proves none. */
  verify(token: string): Promise<Shopper | undefined>
}

export type TokenRules = { publicKey: KeyObject; issuer: string; audience: string }

/** Clocks of issuer and edge may differ by this much, and not more. */
const leewaySeconds = 5
const maxRemembered = 20_000
const maxRoles = 16
const rolePattern = /^[a-z][a-z0-9-]{0,31}$/

type Remembered = { shopper: Shopper; expiresAt: number }

/** `clock` gives epoch ms. */
export function createTokens(rules: TokenRules, clock: () => number): Tokens {
  const remembered = new LRUCache<string, Remembered>({ max: maxRemembered })

  return {
    async verify(token) {
      const now = clock()
      const key = hash('sha256', token, 'base64')
      const known = remembered.get(key)
      if (known !== undefined && now < known.expiresAt) return known.shopper
      const claims = await verifiedClaims(token, rules, now)
      const shopper = claims === undefined ? undefined : shopperOf(claims, now)
      if (claims?.exp !== undefined && shopper !== undefined) {
        remembered.set(key, { shopper, expiresAt: claims.exp * 1000 })
      }
      return shopper
    },
  }
}

async function verifiedClaims(
  token: string,
  { publicKey, issuer, audience }: TokenRules,
  now: number,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['ES256'],
      issuer,
      audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: leewaySeconds,
      currentDate: new Date(now),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** The library checks `exp` and `nbf`; a token issued in the future is a forged clock and is refused here. */
function shopperOf(claims: JWTPayload, now: number): Shopper | undefined {
  const shopperId = parseShopperId(claims.sub)
  const level = parseLevel(claims.level)
  const roles = parseRoles(claims.roles)
  if (shopperId === undefined || level === undefined || roles === undefined) return undefined
  if (claims.iat !== undefined && claims.iat > now / 1000 + leewaySeconds) return undefined
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
