/** Who signs tokens for the shop's own customers, an item each in one partition. */
import * as z from 'zod/mini'
import { type CustomerKey, customerAlgorithms, type PublicJwk } from '../../../core/people/customer-keys.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type AuditEntry, deleteAudited, putAudited } from '../audit.ts'
import { readStored, updateIf } from '../dynamodb.ts'
import { customersKeyOf, customersPk } from '../keys.ts'
import { allOf, type Item } from '../query.ts'

const storedJwk = z.custom<PublicJwk>((value) => typeof value === 'object' && value !== null)

const storedIssuer = z.object({
  sk: z.string(),
  issuer: z.string(),
  signInUrl: z.optional(z.string()),
  jwksUrl: z.optional(z.string()),
  keys: z.array(
    z.object({
      id: z.string(),
      kid: z.optional(z.string()),
      alg: z.enum(customerAlgorithms),
      jwk: storedJwk,
      until: z.optional(z.number()),
    }),
  ),
  savedAt: z.number(),
  checkedAt: z.optional(z.number()),
  failure: z.optional(z.string()),
  failedSince: z.optional(z.number()),
})

/** As customer-issuer.ts says, with the keys themselves. */
export type StoredIssuer = {
  name: string
  issuer: string
  signInUrl: string | undefined
  jwksUrl: string | undefined
  keys: readonly CustomerKey[]
  savedAt: number
  checkedAt: number | undefined
  failure: string | undefined
  failedSince: number | undefined
}

/** Never a stale copy; in the order of their names. @throws when the table is unavailable */
export async function allIssuers(table: Table): Promise<readonly StoredIssuer[]> {
  const items = await allOf(table, customersPk)
  return items.map(readIssuer)
}

/** Replaces the issuer of the same name, together with the audit entry. @throws when the table is unavailable */
export async function putIssuer(table: Table, { name, ...issuer }: StoredIssuer, audit: AuditEntry): Promise<void> {
  const given = Object.entries(issuer).filter(([, value]) => value !== undefined)
  await putAudited(table, { ...customersKeyOf(name), ...Object.fromEntries(given) }, audit)
}

/**
 * `missing`: nothing was removed, and there is no audit entry.
 * @throws when the table is unavailable
 */
export function deleteIssuer(table: Table, name: string, audit: AuditEntry): Promise<'removed' | 'missing'> {
  return deleteAudited(table, customersKeyOf(name), audit)
}

/**
 * Records what was read at the address of an issuer, unless a marketer has saved the issuer again since
 * (`changed`). `failure` and `failedSince` are undefined after a good read.
 * @throws when the table is unavailable
 */
export async function recordKeys(
  table: Table,
  { name, savedAt }: Pick<StoredIssuer, 'name' | 'savedAt'>,
  read: Pick<StoredIssuer, 'keys' | 'checkedAt' | 'failure' | 'failedSince'>,
): Promise<'recorded' | 'changed'> {
  const sets = Object.entries(read).filter(([, value]) => value !== undefined)
  const removes = Object.entries(read).filter(([, value]) => value === undefined)
  // `keys` is a reserved word of DynamoDB.
  const names = Object.fromEntries(Object.keys(read).map((attribute) => [`#${attribute}`, attribute]))
  const setting = `SET ${sets.map(([attribute]) => `#${attribute} = :${attribute}`).join(', ')}`
  const removing = removes.length === 0 ? '' : ` REMOVE ${removes.map(([attribute]) => `#${attribute}`).join(', ')}`
  const isRecorded = await updateIf(table, {
    Key: customersKeyOf(name),
    UpdateExpression: setting + removing,
    ConditionExpression: 'savedAt = :savedAt',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: {
      ':savedAt': savedAt,
      ...Object.fromEntries(sets.map(([attribute, value]) => [`:${attribute}`, value])),
    },
  })
  return isRecorded ? 'recorded' : 'changed'
}

function readIssuer(item: Item): StoredIssuer {
  const issuer = readStored('an issuer of customers', storedIssuer, item)
  const { sk: name, signInUrl, jwksUrl, checkedAt, failure, failedSince, ...rest } = issuer
  return { ...rest, name, signInUrl, jwksUrl, checkedAt, failure, failedSince }
}
