/** The stock of a sale after a change of its units: of the sale as a whole, and of its variants. */
import type { Sale } from '../../core/sale/sale.ts'
import type { DividedChange } from '../../core/stock/divided-units.ts'

export function changedStock(
  { stock, variants }: Pick<Sale, 'stock' | 'variants'>,
  { delta, units = {} }: DividedChange,
): Pick<Sale, 'stock' | 'variants'> {
  const changed = variants?.map((variant) => ({
    ...variant,
    stock: variant.stock + (units[variant.id] ?? 0),
  }))
  return { stock: stock + delta, ...(changed && { variants: changed }) }
}
