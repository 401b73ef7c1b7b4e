/**
 * A sale with a visible change. Every such state has a version of its own, by which all components
 * know the newer one.
 */
import type { Sale } from '../../core/sale/sale.ts'

/** `now` is epoch ms. */
export function revised(sale: Sale, now: number, change: Partial<Sale>): Sale {
  return { ...sale, ...change, version: sale.version + 1, updatedAt: now }
}
