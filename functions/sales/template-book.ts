/** The port to the templates of the shop. */
import type { SaleDefinition } from '../../core/sale.ts'
import type { Template } from '../../core/template.ts'
import type { AuditEntry } from './sale-book.ts'

/** Each change is saved together with its audit entry. */
export type TemplateBook = {
  /** Never a stale copy; in the order of their names. */
  all: () => Promise<readonly Template[]>
  /** Replaces the template of the same name. */
  keep: (template: Template & { definition: SaleDefinition }, audit: AuditEntry) => Promise<void>
  /** `missing`: nothing was removed, and there is no audit entry. */
  remove: (name: string, audit: AuditEntry) => Promise<'removed' | 'missing'>
}
