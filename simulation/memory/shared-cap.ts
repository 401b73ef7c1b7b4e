/** One cap for sales and orders, as it is one item of the real table. */
import type { SaleBook } from '../../functions/sales/sale-book.ts'
import type { MemoryTable } from './order-table.ts'
import type { MemorySales } from './sale-book.ts'

/**
 * `book` with every cap change made in `table` as well, and rejected when the cap, or one of its
 * variants, has too little left.
 */
export function withCapsIn(table: MemoryTable, book: MemorySales): MemorySales {
  const save: SaleBook['save'] = async (seen, next, also) => {
    const { saleId } = next.sale
    const { cap } = also
    const { remaining = 0, variants = {} } = (await table.totals(saleId)) ?? {}
    const units = Object.entries(cap?.units ?? {})
    const isShort = units.some(([id, some]) => (variants[id]?.left ?? 0) + some < 0)
    if (cap?.kind === 'add' && (isShort || (cap.delta < 0 && remaining + cap.delta < 0))) return 'conflict'
    const saved = await book.save(seen, next, also)
    if (saved === 'conflict' || cap === undefined) return saved
    if (cap.kind === 'open') await table.openCap(saleId, cap.stock, cap.budget, cap.units)
    else await table.addToCap(saleId, cap.delta, cap.units)
    return saved
  }
  return { ...book, save }
}
