/**
 * Checks that the parts of a sale's cap have the whole stock: units left and units sold are as many
 * as the sale has, and those of each variant as many as the variant has (I4, N1). Nothing corrects a
 * difference, because either number may be the wrong one.
 */
import type { Sale } from '../../../core/sale/sale.ts'
import { saleTotals, saleTotalsAtOnce } from '../../table/sale/sale-orders.ts'
import { findSale } from '../../table/sale/sales.ts'
import type { SaleTotals } from '../../table/stock/cap-item.ts'
import type { RepairPorts } from '../ports.ts'

/**
 * Reports a difference. Units that move from one part to another may be counted twice, so a
 * difference counts only when all parts were read at the same moment.
 * @throws when the table is unavailable
 */
export async function checkCap(
  { table, meter, log }: Pick<RepairPorts, 'table' | 'meter' | 'log'>,
  { saleId }: Sale,
): Promise<void> {
  const before = await findSale(table, saleId)
  if (before === undefined) return
  const { stock } = before.sale
  if (differenceOf(before.sale, await saleTotals(table, saleId)) === 0) return
  const totals = await saleTotalsAtOnce(table, saleId)
  const after = await findSale(table, saleId)
  const difference = differenceOf(before.sale, totals)
  // A change of the stock changes the sale and its cap together.
  if (difference === 0 || after?.revision !== before.revision) return
  meter.count('CapMismatch', difference)
  const { remaining, sold, variants } = totals ?? {}
  const byVariant = Object.entries(variants ?? {}).map(([id, one]) => `${id} ${one.left} + ${one.sold}`)
  const facts = { saleId, stock, remaining, sold, ...(variants && { variants: byVariant }) }
  log.error('units left and units sold are not the stock', facts)
}

/** Units of the sale, or of its variants, if these differ by more; 0 for an unlimited stock or unknown totals. */
function differenceOf({ stock, variants = [] }: Sale, totals: SaleTotals | undefined): number {
  if (stock === -1 || totals === undefined) return 0
  const byVariant = variants.map((variant) => {
    const { left, sold } = totals.variants?.[variant.id] ?? { left: 0, sold: 0 }
    return Math.abs(left + sold - variant.stock)
  })
  const ofVariants = byVariant.reduce((sum, units) => sum + units, 0)
  return Math.max(Math.abs(totals.remaining + totals.sold - stock), ofVariants)
}
