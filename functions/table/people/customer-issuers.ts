/** Who signs tokens for the shop's own customers. */
import * as z from 'zod/mini'
import { maxIssuers } from '../../../core/people/customer-issuer.ts'
import { customerAlgorithms, type PublicJwk } from '../../../core/people/customer-keys.ts'
import { customersPk } from '../keys.ts'
import { type NamedRecord, namedRecords } from '../named-records.ts'

const storedJwk = z.custom<PublicJwk>((value) => typeof value === 'object' && value !== null)

/** The stored form of core/people/customer-issuer.ts, with the keys themselves. */
const stored = z.object({
  issuer: z.string(),
  signInUrl: z.optional(z.string()),
  jwksUrl: z.optional(z.string()),
  keys: z.readonly(
    z.array(
      z.object({
        id: z.string(),
        kid: z.optional(z.string()),
        alg: z.enum(customerAlgorithms),
        jwk: storedJwk,
        until: z.optional(z.number()),
      }),
    ),
  ),
  savedAt: z.number(),
  checkedAt: z.optional(z.number()),
  failure: z.optional(z.string()),
  failedSince: z.optional(z.number()),
})

export type StoredIssuer = NamedRecord<typeof stored>

export const customerIssuers = namedRecords({
  ...{ what: 'an issuer of customers', pk: customersPk, schema: stored, maxRecords: maxIssuers },
  ...{ saves: 'save-customer-issuer', removes: 'delete-customer-issuer', nameFact: 'issuerName' },
  factsOf: ({ issuer, signInUrl, jwksUrl, keys }) => ({
    issuer,
    ...(signInUrl !== undefined && { signInUrl }),
    ...(jwksUrl !== undefined && { jwksUrl }),
    keys: keys.filter(({ until }) => until === undefined).map(({ id }) => id),
  }),
})
