/** A marketer keeps and removes templates. Safe to repeat (I5). */

import { isDeepStrictEqual } from 'node:util'
import type { SaleId } from '../../core/ids.ts'
import { definitionOf } from '../../core/sale/sale.ts'
import { maxTemplates, type Template } from '../../core/sale/template.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { Actor } from '../sales/audit.ts'
import { findSale } from '../table/sale/sales.ts'
import { allTemplates, deleteTemplate, putTemplate } from '../table/sale/templates.ts'

/**
 * Keeps the present definition of the sale under `name`, in the place of the template that had it. A
 * template that is the same already stays as it is. Two marketers at once may add one more than there
 * should be.
 */
export async function keepTemplate(
  { table, clock }: Pick<Shop, 'table' | 'clock'>,
  actor: Actor,
  name: string,
  saleId: SaleId,
): Promise<Template | 'no-sale' | 'full'> {
  const record = await findSale(table, saleId)
  if (record === undefined) return 'no-sale'
  const definition = definitionOf(record.sale)
  const all = await allTemplates(table)
  const former = all.find((one) => one.name === name)
  if (former !== undefined && isDeepStrictEqual(former.definition, definition)) return former
  if (former === undefined && all.length >= maxTemplates) return 'full'
  const kept = { name, savedAt: clock(), definition }
  const titleBefore = former?.definition?.title
  await putTemplate(table, kept, {
    ...{ ...actor, what: 'save-template', saleId, when: kept.savedAt },
    before: former === undefined ? null : { ...(titleBefore !== undefined && { title: titleBefore }) },
    after: { template: name, title: definition.title },
  })
  return kept
}

/** Removes the template of that name, if there is one. */
export async function removeTemplate(
  { table, clock }: Pick<Shop, 'table' | 'clock'>,
  actor: Actor,
  name: string,
): Promise<void> {
  await deleteTemplate(table, name, {
    ...{ ...actor, what: 'delete-template', saleId: null, when: clock() },
    ...{ before: { template: name }, after: null },
  })
}
