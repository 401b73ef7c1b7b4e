/** Where the banks of split stocks are kept, and the port through which. */
import type { SaleId } from '../../core/ids.ts'
import type { Bank } from '../../core/rights.ts'
import type { Saved } from './sale-book.ts'

/** Strongly consistent. */
export type BankBook = {
  /** Undefined for a sale whose stock is not split. */
  find: (saleId: SaleId) => Promise<Bank | undefined>
  /** A bank that is there stays as it is. */
  open: (saleId: SaleId, bank: Bank) => Promise<void>
  /** Saves `next` over the bank of revision `seen`. */
  save: (saleId: SaleId, seen: number, next: Bank) => Promise<Saved>
}
