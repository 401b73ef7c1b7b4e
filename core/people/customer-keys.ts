/**
 * The shop's own customers: who may sign for them, and with which keys. A shop signs a JWT for a customer who is
 * signed in there; the gate takes it for a session, so customers do not sign in a second time.
 *
 * The gate loads this file, so it has no schema.
 */
import { parseShopperId, type ShopperId } from '../ids.ts'

/** The algorithms of a customer's token. The key decides which one, never the token (RFC 8725, 3.1). */
export const customerAlgorithms = ['ES256', 'RS256', 'EdDSA'] as const

export type CustomerAlgorithm = (typeof customerAlgorithms)[number]

/** A public key in the form of RFC 7517, with only the members of its kind. */
export type PublicJwk = Readonly<
  | { kty: 'EC'; crv: 'P-256'; x: string; y: string }
  | { kty: 'OKP'; crv: 'Ed25519'; x: string }
  | { kty: 'RSA'; n: string; e: string }
>

/**
 * `id` is the thumbprint of the key (RFC 7638), by which the block list names it; `kid` is what tokens call it, if
 * anything. `until` is set once the shop no longer publishes the key: epoch ms when the last token that it can have
 * signed has ended.
 */
export type CustomerKey = {
  readonly id: string
  readonly kid?: string
  readonly alg: CustomerAlgorithm
  readonly jwk: PublicJwk
  readonly until?: number
}

/** `name` begins the shopper ids of its customers, `issuer` is the `iss` of their tokens, `signInUrl` the shop's own page for signing in. */
export type CustomerIssuer = {
  readonly name: string
  readonly issuer: string
  readonly signInUrl?: string
  readonly keys: readonly CustomerKey[]
}

/** The longest time from `iat` to `exp` of a customer's token, s. */
export const customerTokenSeconds = 3600

/**
 * Why a token of a known issuer is refused: it begins in the future, is over, has no signature by one of its keys, is
 * meant for another shop, lives too long, or has claims that are missing or wrong.
 */
export const tokenFaults = ['future', 'expired', 'key', 'audience', 'too-long', 'claims'] as const

export type TokenFault = (typeof tokenFaults)[number]

/**
 * The shopper id of the customer `sub` of that issuer; undefined where it would be none. It begins as no id of the
 * shop's identity provider does, so no customer is taken for someone else.
 */
export function customerId(issuerName: string, sub: unknown): ShopperId | undefined {
  const isSubject = typeof sub === 'string' && sub !== ''
  return isSubject ? parseShopperId(`customer:${issuerName}|${sub}`) : undefined
}

/** Returns the issuers as the gate's store holds them. */
export const customersText = (issuers: readonly CustomerIssuer[]): string => JSON.stringify(issuers)
