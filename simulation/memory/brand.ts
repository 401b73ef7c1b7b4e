/** The brand of the shop in memory, as the table has it. */
import type { BrandRecord } from '../../core/brand.ts'
import { type BrandBook, noBrand } from '../../functions/sales/brand-book.ts'
import type { AuditEntry } from '../../functions/sales/sale-book.ts'

/** Every save adds its entry to `audit`. */
export function memoryBrand(audit: AuditEntry[]): BrandBook {
  let record: BrandRecord = noBrand
  return {
    find: async () => record,
    async save(next, entry) {
      if (record.revision !== next.revision - 1) return 'conflict'
      record = next
      audit.push(entry)
      return 'saved'
    },
  }
}
