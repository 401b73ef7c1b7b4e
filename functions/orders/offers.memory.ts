/** Caches the offers of started sales, which cannot change, so a batch of orders costs no read. */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Offer } from '../lib/offer.ts'
import type { Table } from '../lib/shop/table.ts'
import { findSale, findSales } from '../table/sale/sales.ts'
import type { OfferList } from './read-orders.ts'

const maxSales = 1000

export function rememberOffers(table: Table): OfferList {
  const known = new QuickLRU<SaleId, Offer>({ maxSize: maxSales })
  const remember = (sale: Sale) => {
    if (sale.epoch > 0) known.set(sale.saleId, sale)
  }
  return {
    async of(saleId) {
      const remembered = known.get(saleId)
      if (remembered !== undefined) return remembered
      const sale = (await findSale(table, saleId))?.sale
      if (sale !== undefined) remember(sale)
      return sale
    },
    async ofMany(saleIds) {
      const missing = saleIds.filter((saleId) => !known.has(saleId))
      const offers = new Map<SaleId, Offer>()
      for (const saleId of saleIds) {
        const offer = known.get(saleId)
        if (offer !== undefined) offers.set(saleId, offer)
      }
      for (const sale of missing.length === 0 ? [] : await findSales(table, missing)) {
        remember(sale)
        offers.set(sale.saleId, sale)
      }
      return offers
    },
  }
}
