/** The port to the brand of the shop. */
import type { BrandRecord } from '../../core/brand.ts'
import type { AuditEntry, Saved } from './sale-book.ts'

export type BrandBook = {
  /** Never a stale copy; before the first save an empty brand of revision 0. */
  find: () => Promise<BrandRecord>
  /** Saves `next` and its audit entry together, over the revision before that of `next`. */
  save: (next: BrandRecord, audit: AuditEntry) => Promise<Saved>
}

/** What a shop has before its brand is saved. */
export const noBrand: BrandRecord = { revision: 0, brand: {} }
