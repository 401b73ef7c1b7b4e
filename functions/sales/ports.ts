/** The stock of a sale, and what the gate knows of it, as a change of the sale writes both. */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { NumberedChange, StockChange } from '../../redis/add-stock.ts'
import type { StockTruth } from '../../redis/replenish.ts'
import type { Flipped, WarmSale } from '../../redis/warm.ts'

/** The stock in Redis. Every call may be repeated. */
export type Stock = {
  warm: (sale: WarmSale) => Promise<unknown>
  flip: (sale: Sale) => Promise<Flipped>
  add: (saleId: SaleId, change: NumberedChange) => Promise<StockChange>
  remove: (saleId: SaleId) => Promise<void>
}

/** What the gate reads. A `frozen` sale rejects every purchase, whatever its flag. Every call may be repeated. */
export type Gate = {
  set: (sale: Sale, state: { frozen: boolean }) => Promise<void>
  publishSoldOut: (saleId: SaleId, stockRevision: number) => Promise<void>
  publishRestocked: (saleId: SaleId, stockRevision: number) => Promise<void>
  /** Counts the admissions anew; older truth than it has changes nothing. */
  replenish: (saleId: SaleId, truth: StockTruth) => Promise<unknown>
  /** Removes all that is kept of an archived sale. */
  remove: (saleId: SaleId) => Promise<void>
}
