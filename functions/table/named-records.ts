/** What staff configure by name, such as an address that receives events: a few records, an item each in one partition. */
import type * as z from 'zod/mini'
import type { Table } from '../lib/shop/table.ts'
import { type AuditEntry, deleteAudited, putAudited } from './audit.ts'
import { readStored, updateIf } from './dynamodb.ts'
import { allOf, type Item } from './query.ts'

/** `savedAt` (epoch ms) is another after each save by staff. */
type Saved = { savedAt: number }

export type NamedRecord<S extends z.core.$ZodType<Saved>> = { name: string } & z.output<S>

/** The records with that partition key, which `schema` reads. Each call throws when the table is unavailable. */
export function namedRecords<S extends z.core.$ZodType<Saved>>(what: string, pk: string, schema: S) {
  const readRecord = (item: Item): NamedRecord<S> => ({ ...readStored(what, schema, item), name: String(item.sk) })
  return {
    /** Never a stale copy; in the order of their names. */
    all: async (table: Table): Promise<readonly NamedRecord<S>[]> => (await allOf(table, pk)).map(readRecord),

    /**
     * Puts the record in the place of `former`, which is undefined for a new one, together with the audit entry. `refused`:
     * another call has saved or removed it since.
     */
    put(
      table: Table,
      { name, ...record }: NamedRecord<S>,
      audit: AuditEntry,
      former: Saved | undefined,
    ): Promise<'written' | 'refused'> {
      const condition =
        former === undefined
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : { ConditionExpression: 'savedAt = :savedAt', ExpressionAttributeValues: { ':savedAt': former.savedAt } }
      return putAudited(table, { pk, sk: name, ...record }, audit, condition)
    },

    /** `missing`: nothing was removed, and there is no audit entry. */
    remove: (table: Table, name: string, audit: AuditEntry): Promise<'removed' | 'missing'> =>
      deleteAudited(table, { pk, sk: name }, audit),

    /** Writes what the system found out about the record, unless staff have saved it again since. What is undefined is removed. */
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
        // Some are reserved words of DynamoDB, such as `keys`.
        ExpressionAttributeNames: Object.fromEntries(attributes.map(([attribute]) => [`#${attribute}`, attribute])),
        ExpressionAttributeValues: {
          ':savedAt': savedAt,
          ...Object.fromEntries(sets.map(([attribute, value]) => [`:${attribute}`, value])),
        },
      })
    },
  }
}
