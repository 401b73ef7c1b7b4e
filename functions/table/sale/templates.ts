/** The templates of the shop, an item each in one partition. */
import * as z from 'zod/mini'
import { parse, whole } from '../../../core/lib/parse.ts'
import { type SaleDefinition, saleDefinition } from '../../../core/sale/sale.ts'
import type { Template } from '../../../core/sale/template.ts'
import { type AuditEntry, auditPut } from '../audit.ts'
import { type Table, UnexpectedItem } from '../dynamodb.ts'
import { templateKey, templatesPk } from '../keys.ts'
import { type Item, queryAll } from '../query.ts'
import { transact } from '../transaction.ts'

/** Each change is saved together with its audit entry. */
export type TemplateBook = {
  /** Never a stale copy; in the order of their names. */
  all: () => Promise<readonly Template[]>
  /** Replaces the template of the same name. */
  keep: (template: Template & { definition: SaleDefinition }, audit: AuditEntry) => Promise<void>
  /** `missing`: nothing was removed, and there is no audit entry. */
  remove: (name: string, audit: AuditEntry) => Promise<'removed' | 'missing'>
}

const storedTemplate = z.object({
  sk: z.string('must be a string'),
  savedAt: whole(0, Number.MAX_SAFE_INTEGER),
  definition: z.optional(z.unknown()),
})

export function dynamoTemplates(table: Table): TemplateBook {
  const { name: TableName } = table
  return {
    async all() {
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :templates',
        ExpressionAttributeValues: { ':templates': templatesPk },
        ConsistentRead: true,
      })
      return items.map(readTemplate)
    },
    async keep({ name, savedAt, definition }, audit) {
      const Item = { ...templateKey(name), savedAt, definition }
      await transact(table, [{ Put: { TableName, Item } }, auditPut(TableName, audit)])
    },
    async remove(name, audit) {
      const Delete = {
        TableName,
        Key: templateKey(name),
        ConditionExpression: 'attribute_exists(pk)',
      }
      const written = await transact(table, [{ Delete }, auditPut(TableName, audit)])
      return written === 'written' ? 'removed' : 'missing'
    },
  }
}

function readTemplate(item: Item): Template {
  const stored = parse(storedTemplate, item)
  if (!stored.ok) throw new UnexpectedItem('a template', stored.detail)
  const { sk: name, savedAt } = stored.value
  // A definition of an earlier version may lack what a sale needs now; that must not hide the others.
  const definition = parse(saleDefinition, stored.value.definition)
  return { name, savedAt, definition: definition.ok ? definition.value : null }
}
