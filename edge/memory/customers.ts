/** The issuers of the shop's own customers, from the text in the gate's store to what verifies their tokens. */
import { createPublicKey } from 'node:crypto'
import {
  type CustomerIssuer,
  type CustomerKey,
  customerId,
  customerTokenSeconds,
} from '../../core/people/customer-keys.ts'
import { customerName } from '../../core/people/shown-name.ts'
import { type Issuer, type Issuers, parseLevel, type Shopper, type TokenClaims, type VerifyKey } from './tokens.ts'

/** `signInUrl` is the shop's page for signing in, where it has one. */
export type Customers = { issuers: Issuers; keyIds: ReadonlySet<string>; signInUrl: string | undefined }

export const noCustomers: Customers = { issuers: new Map(), keyIds: new Set(), signInUrl: undefined }

/**
 * `origins` are the addresses of this shop, one of which every token must be meant for, so that a token for
 * another stage or shop is worth nothing here.
 * @throws when the text is not what `customersText` writes
 */
export function customersIn(text: string, origins: ReadonlySet<string>): Customers {
  const read: readonly CustomerIssuer[] = JSON.parse(text)
  return {
    issuers: new Map(read.map((one) => [one.issuer, issuerOf(one, origins)])),
    keyIds: new Set(read.flatMap(({ keys }) => keys.map(({ id }) => id))),
    signInUrl: read.find((one) => one.signInUrl !== undefined)?.signInUrl,
  }
}

function issuerOf({ name, keys }: CustomerIssuer, audiences: ReadonlySet<string>): Issuer {
  return {
    name,
    audiences,
    keys: keys.map(verifyKey),
    maxLifeSeconds: customerTokenSeconds,
    shopperIn: (claims, keyId) => customerOf(name, claims, keyId),
  }
}

function verifyKey({ jwk, kid, ...named }: CustomerKey): VerifyKey {
  return { ...named, kid, key: createPublicKey({ key: { ...jwk }, format: 'jwk' }) }
}

/** A customer has no role, even if the token claims one: the shop signs for its customers, not for its staff. */
function customerOf(issuerName: string, claims: TokenClaims, keyId: string): Shopper | undefined {
  const shopperId = customerId(issuerName, claims.sub)
  const level = parseLevel(claims.level)
  if (shopperId === undefined || level === undefined) return undefined
  const customer = { name: customerName(claims), expiresAt: Number(claims.exp) * 1000 }
  return { shopperId, level, roles: [], keyId, customer }
}
