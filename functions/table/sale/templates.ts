/** The templates of the shop, an item each in one partition. */
import * as z from 'zod/mini'
import { parse, whole } from '../../../core/lib/parse.ts'
import { type SaleDefinition, saleDefinition } from '../../../core/sale/sale.ts'
import type { Template } from '../../../core/sale/template.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type AuditEntry, deleteAudited, putAudited } from '../audit.ts'
import { readStored } from '../dynamodb.ts'
import { templateKey, templatesPk } from '../keys.ts'
import { allOf, type Item } from '../query.ts'

const storedTemplate = z.object({
  sk: z.string('must be a string'),
  savedAt: whole(0, Number.MAX_SAFE_INTEGER),
  definition: z.optional(z.unknown()),
})

/** Never a stale copy; in the order of their names. @throws when the table is unavailable */
export async function allTemplates(table: Table): Promise<readonly Template[]> {
  const items = await allOf(table, templatesPk)
  return items.map(readTemplate)
}

/** Replaces the template of the same name, together with the audit entry. @throws when the table is unavailable */
export async function putTemplate(
  table: Table,
  { name, savedAt, definition }: Template & { definition: SaleDefinition },
  audit: AuditEntry,
): Promise<void> {
  await putAudited(table, { ...templateKey(name), savedAt, definition }, audit)
}

/**
 * `missing`: nothing was removed, and there is no audit entry.
 * @throws when the table is unavailable
 */
export function deleteTemplate(table: Table, name: string, audit: AuditEntry): Promise<'removed' | 'missing'> {
  return deleteAudited(table, templateKey(name), audit)
}

function readTemplate(item: Item): Template {
  const { sk: name, savedAt, ...stored } = readStored('a template', storedTemplate, item)
  // A definition of an earlier version may lack what a sale needs now; that must not hide the others.
  const definition = parse(saleDefinition, stored.definition)
  return { name, savedAt, definition: definition.ok ? definition.value : null }
}
