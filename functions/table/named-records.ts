/** Named records of the shop that staff edit, such as customer issuers: a few records, one item each in one partition. */
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import type { AuditAction } from '../../core/audit.ts'
import type { HttpAnswer } from '../lib/http/answer.ts'
import { retryAtMost } from '../lib/retry.ts'
import type { ShopContext, Table } from '../lib/shop/shop.ts'
import { type AuditEntry, auditPut, putAudited } from './audit.ts'
import { readStored, updateIf } from './dynamodb.ts'
import { queryPartition } from './query.ts'
import { transact } from './transaction.ts'

/** `savedAt` (epoch ms) changes with each save by staff, which clears a `failure` that the system has recorded. */
type Saved = { savedAt: number; failure?: string | undefined }

export type NamedRecord<S extends z.core.$ZodType<Saved>> = { name: string } & z.output<S>

/**
 * At most `maxRecords` records, which `schema` reads, under the partition key `pk`. The audit log has `saves` and `removes` as
 * actions, names the record by the fact `nameFact`, and shows what staff decide, by `factsOf`.
 */
type Description<S extends z.core.$ZodType<Saved>> = {
  what: string
  pk: string
  schema: S
  maxRecords: number
  saves: AuditAction
  removes: AuditAction
  nameFact: string
  factsOf(record: Omit<z.output<S>, 'savedAt'>): object
}

/** The record that staff change. With another action `what` than a save, the audit log only names the record. */
type Change = { actor: Pick<AuditEntry, 'who' | 'requestId' | 'role'>; name: string; what?: AuditAction }

/** A save writes once, and conflicts only with other calls for the same record or findings about it. */
const maxTries = 8

/** Creates the operations on such records. Each throws when the table is unavailable. */
export function namedRecords<S extends z.core.$ZodType<Saved>>(description: Description<S>) {
  const { what: called, pk, schema, maxRecords, saves, removes, nameFact, factsOf } = description
  type Stored = NamedRecord<S>
  type Written = Omit<z.output<S>, 'savedAt'>

  /** Returns all records in the order of their names; strongly consistent. */
  const all = async (table: Table): Promise<readonly Stored[]> =>
    (await queryPartition(table, pk)).map((item) => ({ ...readStored(called, schema, item), name: String(item.sk) }))

  return {
    all,

    /**
     * Saves the record that `next` returns for the former one and all others, unless `next` refuses. Reads again when another
     * call wrote the record after it was read. Saving the same record again is a no-op.
     * @throws when others keep changing the record
     */
    save(
      { table, clock }: Pick<ShopContext, 'table' | 'clock'>,
      { actor, name, what = saves }: Change,
      next: (former: Stored | undefined, all: readonly Stored[]) => Promise<Written | HttpAnswer>,
    ): Promise<Stored | HttpAnswer | 'full'> {
      const facts = (record: Written) => ({ [nameFact]: name, ...(what === saves && factsOf(record)) })
      return retryAtMost(maxTries, name, async () => {
        const listed = await all(table)
        const former = listed.find((one) => one.name === name)
        const record = await next(former, listed)
        if ('statusCode' in record) return record
        if (former === undefined && listed.length >= maxRecords) return 'full'
        const [before, after] = [former === undefined ? null : facts(former), facts(record)]
        const isSame = what === saves && former?.failure === undefined && isDeepStrictEqual(before, after)
        if (former !== undefined && isSame) return former
        const when = clock()
        const savedAt = Math.max(when, (former?.savedAt ?? 0) + 1)
        const unchanged =
          former === undefined
            ? { ConditionExpression: 'attribute_not_exists(pk)' }
            : { ConditionExpression: 'savedAt = :savedAt', ExpressionAttributeValues: { ':savedAt': former.savedAt } }
        const audit: AuditEntry = { ...actor, what, saleId: null, when, before, after }
        const saved = { ...record, name, savedAt } as Stored
        const { name: sk, ...fields } = saved
        return (await putAudited(table, { ...fields, pk, sk }, audit, unchanged)) === 'written' ? saved : undefined
      })
    },

    /** Removes a record. Removing a missing record is a no-op without an audit entry. */
    async remove(
      { table, clock }: Pick<ShopContext, 'table' | 'clock'>,
      { actor, name }: Change,
    ): Promise<{ name: string }> {
      const audit = { ...actor, what: removes, saleId: null, when: clock(), before: { [nameFact]: name }, after: null }
      const Delete = { TableName: table.name, Key: { pk, sk: name }, ConditionExpression: 'attribute_exists(pk)' }
      await transact(table, [{ Delete }, auditPut(table.name, audit)])
      return { name }
    },

    /** Writes findings of the system about the record, unless staff have saved it since. Removes undefined attributes. */
    async note(table: Table, { name, savedAt }: Saved & { name: string }, found: Partial<z.output<S>>): Promise<void> {
      const attributes = Object.entries(found)
      const sets = attributes.filter(([, value]) => value !== undefined)
      const removes = attributes.filter(([, value]) => value === undefined)
      const setting = `SET ${sets.map(([attribute]) => `#${attribute} = :${attribute}`).join(', ')}`
      const removing = removes.length === 0 ? '' : ` REMOVE ${removes.map(([attribute]) => `#${attribute}`).join(', ')}`
      await updateIf(table, {
        Key: { pk, sk: name },
        UpdateExpression: setting + removing,
        ConditionExpression: 'savedAt = :savedAt',
        // Some names are reserved words of DynamoDB, such as `keys`.
        ExpressionAttributeNames: Object.fromEntries(attributes.map(([attribute]) => [`#${attribute}`, attribute])),
        ExpressionAttributeValues: {
          ':savedAt': savedAt,
          ...Object.fromEntries(sets.map(([attribute, value]) => [`:${attribute}`, value])),
        },
      })
    },
  }
}
