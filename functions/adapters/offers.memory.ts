/** Remembers the offers of started sales, which can no longer change, so that a batch of orders costs no read. */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { Offer, Offers } from '../order-life/offer.ts'

const maxSales = 1000

export function rememberOffers(sales: {
  find: (saleId: SaleId) => Promise<{ sale: Sale } | undefined>
}): Offers {
  const known = new QuickLRU<SaleId, Offer>({ maxSize: maxSales })
  return {
    async of(saleId) {
      const remembered = known.get(saleId)
      if (remembered !== undefined) return remembered
      const sale = (await sales.find(saleId))?.sale
      if (sale !== undefined && sale.epoch > 0) known.set(saleId, sale)
      return sale
    },
  }
}
