/** The adapters that publish a sale's public pointer. */
import type { SaleId } from '../../core/ids.ts'
import type { Site } from '../lib/shop/site.ts'
import { createPointerPublisher } from '../sales/publishing/pointer.ts'
import type { Stores } from './connect.ts'

export function pointerShopfront(
  { table, stock }: Pick<Stores, 'table' | 'stock'>,
  site: Site,
): { refresh: (saleId: SaleId) => Promise<void> } {
  return {
    refresh: createPointerPublisher({
      site,
      table,
      stock,
      clock: Date.now,
    }),
  }
}
