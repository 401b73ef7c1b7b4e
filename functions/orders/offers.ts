/** Reads and caches the offers of sales: the terms on which orders are made and paid. */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Table } from '../lib/shop/shop.ts'
import { findSale, findSales } from '../table/sale/sales.ts'

/** The fields of a sale that orders need. After the start of a sale only stocks, names of variants and the title may change. */
export type Offer = Pick<
  Sale,
  | 'kind'
  | 'title'
  | 'translations'
  | 'price'
  | 'currency'
  | 'paymentWindowSeconds'
  | 'paymentGraceSeconds'
  | 'limitPerShopper'
  | 'stock'
  | 'variants'
  | 'coupons'
  | 'delivery'
  | 'checkoutUrl'
  | 'packets'
  | 'windows'
>

export type Offers = { find: (saleId: SaleId) => Promise<Offer | undefined> }

export type OfferList = Offers & {
  /** Finds the offers of up to 100 sales with at most one read. Skips sales that do not exist. */
  findMany: (saleIds: readonly SaleId[]) => Promise<ReadonlyMap<SaleId, Offer>>
}

const maxSales = 1000

/** Caches the offers of started sales, whose terms cannot change, so a batch of orders costs no read. */
export function cacheOffers(table: Table): OfferList {
  const known = new QuickLRU<SaleId, Offer>({ maxSize: maxSales })
  const remember = (sale: Sale) => {
    if (sale.epoch > 0) known.set(sale.saleId, sale)
  }
  return {
    async find(saleId) {
      const remembered = known.get(saleId)
      if (remembered !== undefined) return remembered
      const sale = (await findSale(table, saleId))?.sale
      if (sale !== undefined) remember(sale)
      return sale
    },
    async findMany(saleIds) {
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
