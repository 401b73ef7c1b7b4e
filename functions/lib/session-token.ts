/** Signs session tokens: JWTs with ES256, which the gate verifies (edge/memory/tokens.ts). */
import { calculateJwkThumbprint, importJWK, type JWK, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { ShopperId } from '../../core/ids.ts'
import type { Role } from '../../core/roles.ts'

type SessionClaims = { shopperId: ShopperId; level?: number | undefined; roles?: readonly Role[] | undefined }

/** Issuer, audience and duration of a token (negative: expired). */
export type TokenTerms = { issuer: string; audience: string; expiresInSeconds: number }

export type SignToken = (who: SessionClaims, terms: TokenTerms) => Promise<string>

export const signingKey = z.looseObject({
  ...{ kty: z.literal('EC'), crv: z.literal('P-256') },
  ...{ x: z.string(), y: z.string(), d: z.string() },
})

/** A private ES256 key as JWK. */
export type SigningKey = z.infer<typeof signingKey>

/** Returns a signer of session tokens. @throws when `jwk` is not a key */
export async function tokenSigner(jwk: SigningKey): Promise<SignToken> {
  const key = await importJWK(jwk, 'ES256')
  const kid = await calculateJwkThumbprint(jwk)
  return ({ shopperId, level, roles }, { issuer, audience, expiresInSeconds }) => {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ ...(level !== undefined && { level }), ...(roles !== undefined && { roles }) })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setSubject(shopperId)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + expiresInSeconds)
      .sign(key)
  }
}

/** Returns the public key as JWK, for the settings of the edge. @throws when `jwk` is not a key */
export async function toPublicJwk({ d: _private, ...publicJwk }: SigningKey): Promise<JWK> {
  return { ...publicJwk, kid: await calculateJwkThumbprint(publicJwk) }
}
