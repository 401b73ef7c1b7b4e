/** An issuer of customer tokens, as marketers edit it. The gate loads only customer-keys.ts. */
import * as z from 'zod/mini'
import { secureAddress } from '../lib/secure-address.ts'
import { customerAlgorithms, tokenFaults } from './customer-keys.ts'

/** The gate reads all issuers and keys in one small text. */
export const maxIssuers = 8
export const maxCustomerKeys = 8

/** The prefix of the shopper ids of its customers, so it cannot change. */
export const issuerName = z
  .string('must be a string')
  .check(z.regex(/^[a-z][a-z0-9-]{0,15}$/, 'must be 1 to 16 lower-case letters, digits or hyphens, a letter first'))

/** Must equal the `iss` of the tokens exactly (RFC 7519, 4.1.1). */
const issuer = z
  .string('must be a string')
  .check(z.regex(/^[!-~]{1,255}$/, 'must be 1 to 255 visible characters of ASCII, without a space'))

/** A set of keys (RFC 7517, 5). functions/lib/customer-jwks.ts selects the usable ones. */
export const keySet = z.looseObject(
  { keys: z.array(z.looseObject({}, 'must be an object'), 'must be a list') },
  'must be an object with keys',
)

/** The keys are either pasted, or fetched from a URL every ten minutes. */
export const customerIssuerInput = z
  .strictObject(
    { issuer, signInUrl: z.optional(secureAddress), jwksUrl: z.optional(secureAddress), jwks: z.optional(keySet) },
    'must be a JSON object with issuer and jwksUrl or jwks',
  )
  .check(
    z.refine(({ jwksUrl, jwks }) => (jwksUrl === undefined) !== (jwks === undefined), {
      error: 'must be there, or jwks, but not both',
      path: ['jwksUrl'],
    }),
  )

export type CustomerIssuerInput = z.infer<typeof customerIssuerInput>

/** `until` is set once the shop no longer publishes the key: it verifies tokens until then, epoch ms. */
export const issuerKeyView = z.object({
  id: z.string(),
  kid: z.nullable(z.string()),
  alg: z.enum(customerAlgorithms),
  until: z.nullable(z.number()),
})

export const refusedView = z.object({ reason: z.enum(tokenFaults), count: z.number(), lastAt: z.number() })

/**
 * `checkedAt` is when the URL was last fetched. `failure` is the error of that attempt; every attempt since `failedSince` has
 * failed. `refused` counts the tokens rejected in the last 24 hours by reason, with the start of the last such hour
 * (`lastAt`). It is null while it cannot be read. Times are epoch ms.
 */
export const customerIssuerView = z.object({
  name: issuerName,
  issuer: z.string(),
  signInUrl: z.nullable(z.string()),
  jwksUrl: z.nullable(z.string()),
  keys: z.readonly(z.array(issuerKeyView)),
  savedAt: z.number(),
  checkedAt: z.nullable(z.number()),
  failure: z.nullable(z.string()),
  failedSince: z.nullable(z.number()),
  refused: z.nullable(z.readonly(z.array(refusedView))),
})

export type CustomerIssuerView = z.infer<typeof customerIssuerView>
