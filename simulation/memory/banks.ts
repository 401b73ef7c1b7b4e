/** The banks of split stocks in memory. */
import type { SaleId } from '../../core/ids.ts'
import type { Bank } from '../../core/rights.ts'
import type { BankBook } from '../../functions/sales/bank-book.ts'

export function memoryBanks(): BankBook {
  const banks = new Map<SaleId, Bank>()
  return {
    find: async (saleId) => banks.get(saleId),
    async open(saleId, bank) {
      if (!banks.has(saleId)) banks.set(saleId, bank)
    },
    async save(saleId, seen, next) {
      if (banks.get(saleId)?.revision !== seen) return 'conflict'
      banks.set(saleId, next)
      return 'saved'
    },
  }
}
