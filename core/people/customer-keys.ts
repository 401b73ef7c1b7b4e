/**
 * Issuers of customer tokens and their keys. A shop signs a JWT for a customer who is signed in there. The gate accepts it as
 * a session, so customers do not sign in a second time.
 *
 * The gate loads this file, so it has no schema.
 */
import { parseShopperId, type ShopperId } from '../ids.ts'

/** The algorithms of customer tokens. The key determines the algorithm, never the token (RFC 8725, 3.1). */
export const customerAlgorithms = ['ES256', 'RS256', 'EdDSA'] as const

export type CustomerAlgorithm = (typeof customerAlgorithms)[number]

/** A public key in the format of RFC 7517, with only the members of its type. */
export type PublicJwk = Readonly<
  | { kty: 'EC'; crv: 'P-256'; x: string; y: string }
  | { kty: 'OKP'; crv: 'Ed25519'; x: string }
  | { kty: 'RSA'; n: string; e: string }
>

/**
 * `id` is the thumbprint of the key (RFC 7638), which the block list uses. `kid` is its id in tokens, if they have one.
 * `until` is set once the shop no longer publishes the key: when the last token that it can have signed expires, epoch ms.
 */
export type CustomerKey = {
  readonly id: string
  readonly kid?: string
  readonly alg: CustomerAlgorithm
  readonly jwk: PublicJwk
  readonly until?: number
}

/** `name` is the prefix of the shopper ids, `issuer` the `iss` of the tokens, `signInUrl` the shop's sign-in page. */
export type CustomerIssuer = {
  readonly name: string
  readonly issuer: string
  readonly signInUrl?: string
  readonly keys: readonly CustomerKey[]
}

/** Maximum time from `iat` to `exp` of a customer token, s. */
export const customerTokenSeconds = 3600

/**
 * Why a token of a known issuer is rejected: it is not valid yet, has expired, is not signed by one of the issuer's keys, is
 * for another shop, lives too long, or has missing or wrong claims.
 */
export const tokenFaults = ['future', 'expired', 'key', 'audience', 'too-long', 'claims'] as const

export type TokenFault = (typeof tokenFaults)[number]

/**
 * Returns the shopper id of the customer `sub` of that issuer; undefined if it would be invalid. Its prefix differs from all
 * ids of the shop's identity provider, so no customer gets the id of another shopper.
 */
export function customerId(issuerName: string, sub: unknown): ShopperId | undefined {
  const isSubject = typeof sub === 'string' && sub !== ''
  return isSubject ? parseShopperId(`customer:${issuerName}|${sub}`) : undefined
}

/** Returns the issuers as stored in the gate's store. */
export const customersText = (issuers: readonly CustomerIssuer[]): string => JSON.stringify(issuers)
