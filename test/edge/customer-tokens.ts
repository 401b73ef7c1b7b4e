/** A shop with customers of its own: its keys, and the tokens that it signs for them. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { type CustomerIssuer, type CustomerKey, customersText } from '../../core/people/customer-keys.ts'
import { readCustomerKeys } from '../../functions/lib/customer-jwks.ts'
import { shopOrigin } from './support.ts'

export const crm = 'https://crm.example'

export const shopKeys = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: generateKeyPairSync('ed25519'),
}

/** The public half as a shop publishes it. */
export const published = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more })

export const jwksOf = (...keys: object[]) => ({ keys })

export const allKeys = jwksOf(
  ...Object.entries(shopKeys).map(([alg, { publicKey }]) => published(publicKey, { kid: alg, alg, use: 'sig' })),
)

export async function issuerOf(change: Partial<CustomerIssuer> = {}): Promise<CustomerIssuer> {
  const keys = readCustomerKeys(allKeys.keys as Record<string, unknown>[])
  if ('failure' in keys) throw new Error(keys.failure)
  return { name: 'crm', issuer: crm, keys, ...change }
}

export const keyNamed = ({ keys }: CustomerIssuer, kid: string): CustomerKey => {
  const found = keys.find((key) => key.kid === kid)
  if (found === undefined) throw new Error(`the issuer has no key ${kid}`)
  return found
}

export const textOf = async (change: Partial<CustomerIssuer> = {}) => customersText([await issuerOf(change)])

type Signing = {
  claims?: JWTPayload
  alg?: string
  kid?: string | undefined
  key?: KeyObject | Uint8Array
  header?: object
}

/** A good token of a customer at `now`, unless a claim (undefined removes one), the header or the key say otherwise. */
export function customerToken(now: number, signing: Signing = {}): Promise<string> {
  const { claims = {}, alg = 'ES256', header = {} } = signing
  const kid = 'kid' in signing ? signing.kid : alg
  const seconds = Math.floor(now / 1000)
  const usual = { iss: crm, aud: shopOrigin, sub: '4711', iat: seconds, exp: seconds + 600 }
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }), ...header })
    .sign(signing.key ?? shopKeys[alg as keyof typeof shopKeys].privateKey)
}
