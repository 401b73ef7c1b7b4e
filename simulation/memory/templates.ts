/** The templates of the shop in memory, as the table has them. */
import type { Template } from '../../core/template.ts'
import type { AuditEntry } from '../../functions/sales/sale-book.ts'
import type { TemplateBook } from '../../functions/sales/template-book.ts'

/** Every change adds its entry to `audit`. */
export function memoryTemplates(audit: AuditEntry[]): TemplateBook {
  const templates = new Map<string, Template>()
  return {
    all: async () =>
      [...templates.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))),
    async keep(template, entry) {
      templates.set(template.name, template)
      audit.push(entry)
    },
    async remove(name, entry) {
      if (!templates.delete(name)) return 'missing'
      audit.push(entry)
      return 'removed'
    },
  }
}
