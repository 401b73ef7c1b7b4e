/** Returns a sale after a change of its state or of its units. */
import type { Sale } from '../../core/sale/sale.ts'
import { unitsOfVariant } from '../../core/sale/variants.ts'
import type { DividedChange } from '../../core/stock/divided-units.ts'

export function changedStock(
  { stock, variants }: Pick<Sale, 'stock' | 'variants'>,
  { delta, units = {} }: DividedChange,
): Pick<Sale, 'stock' | 'variants'> {
  const changed = variants?.map((variant) => ({ ...variant, stock: variant.stock + unitsOfVariant(units, variant.id) }))
  return { stock: stock + delta, ...(changed && { variants: changed }) }
}

/** Returns the sale with a visible change, under a new version. `now` is epoch ms. */
export function revised(sale: Sale, now: number, change: Partial<Sale>): Sale {
  return { ...sale, ...change, version: sale.version + 1, updatedAt: now }
}
