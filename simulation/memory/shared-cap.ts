/** One cap for sales and orders, as it is one item of the real table. */
import type { SaleBook } from '../../functions/sales/sale-book.ts'
import type { MemoryTable } from './order-table.ts'
import type { MemorySales } from './sale-book.ts'

/**
 * `book` with every cap change made in `table` as well, and rejected when the cap has too little
 * left.
 */
export function withCapsIn(table: MemoryTable, book: MemorySales): MemorySales {
  const save: SaleBook['save'] = async (seen, next, also) => {
    const { saleId } = next.sale
    const { cap } = also
    const remaining = (await table.totals(saleId))?.remaining ?? 0
    if (cap?.kind === 'add' && cap.delta < 0 && remaining + cap.delta < 0) return 'conflict'
    const saved = await book.save(seen, next, also)
    if (saved === 'conflict' || cap === undefined) return saved
    if (cap.kind === 'open') await table.openCap(saleId, cap.stock, cap.budget)
    else await table.addToCap(saleId, cap.delta)
    return saved
  }
  return { ...book, save }
}
