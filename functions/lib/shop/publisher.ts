/** What makes the state of the shop public. */
import type { Brand } from '../../../core/brand.ts'
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { GateFacts } from '../../../redis/gate/gate.ts'

/** Every call may be repeated; `withdraw` is for a deleted sale, `firstIndex` for a shop without a page. */
export type Publisher = {
  countdown: (sale: Sale) => Promise<void>
  pointer: (saleId: SaleId) => Promise<unknown>
  page: (saleId: SaleId) => Promise<void>
  /** The index of the shop, after that sale changed, or because of the time that has passed. */
  index: (saleId?: SaleId) => Promise<void>
  /** What the CloudFront Functions know of the sale (edge-entries.ts). */
  edge: (saleId: SaleId, known?: GateFacts) => Promise<void>
  withdraw: (saleId: SaleId) => Promise<void>
  firstIndex: () => Promise<void>
  /** The colours of a brand that is about to be saved. */
  brandStyle: (brand: Brand) => Promise<void>
  /** All pages, with the brand as it is now. */
  brand: () => Promise<void>
  /** The pages that are the same for every sale, where they are outdated. */
  stablePages: () => Promise<void>
}

export type Shopfront = {
  /** Publishes the count of a sale again after it has changed; the units of `ended` orders have returned with the change. */
  refresh: (saleId: SaleId, ended?: number) => Promise<void>
}
