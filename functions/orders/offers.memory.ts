/** Caches the offers of started sales, which cannot change, so a batch of orders costs no read. */

import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Offer, Offers } from '../lib/offer.ts'
import type { Table } from '../lib/shop/table.ts'
import { findSale, findSales } from '../table/sale/sales.ts'
import type { OfferList } from './read-orders.ts'

const maxSales = 1000

export function rememberOffers(table: Table): Offers {
  return { of: offersBy(table, memory()) }
}

/** The same for several sales: the uncached ones are read at once. */
export function rememberOfferList(table: Table): OfferList {
  const known = memory()
  return {
    of: offersBy(table, known),
    async ofMany(saleIds) {
      const missing = saleIds.filter((saleId) => !known.has(saleId))
      const offers = new Map<SaleId, Offer>()
      for (const saleId of saleIds) {
        const offer = known.get(saleId)
        if (offer !== undefined) offers.set(saleId, offer)
      }
      for (const sale of missing.length === 0 ? [] : await findSales(table, missing)) {
        remember(known, sale)
        offers.set(sale.saleId, sale)
      }
      return offers
    },
  }
}

type Memory = QuickLRU<SaleId, Offer>
const memory = (): Memory => new QuickLRU({ maxSize: maxSales })

function remember(known: Memory, sale: Sale): void {
  if (sale.epoch > 0) known.set(sale.saleId, sale)
}

function offersBy(table: Table, known: Memory): Offers['of'] {
  return async (saleId) => {
    const remembered = known.get(saleId)
    if (remembered !== undefined) return remembered
    const sale = (await findSale(table, saleId))?.sale
    if (sale !== undefined) remember(known, sale)
    return sale
  }
}
