/** What an option shows on the page of a sale, and what the page may know of it. */
import type { Sale } from '../../core/sale/sale.ts'
import type { Html } from './html.ts'
import type { Assets } from './layout.ts'

export type PublicSale = Pick<
  Sale,
  | 'saleId'
  | 'kind'
  | 'title'
  | 'description'
  | 'translations'
  | 'pictures'
  | 'price'
  | 'listPrice'
  | 'currency'
  | 'delivery'
  | 'stock'
  | 'limitPerShopper'
  | 'maxPerOrder'
  | 'startsAt'
  | 'endsAt'
  | 'paymentWindowSeconds'
  | 'minLevel'
  | 'earlyAccess'
  | 'challenge'
  | 'windows'
  | 'windowIndex'
  | 'timeZone'
  | 'warmed'
  | 'flag'
  | 'packets'
  | 'coupons'
  | 'variants'
  | 'version'
>

export type PagePart = {
  /** Loaded beside those of the page, for a sale that needs them. */
  styles?(sale: PublicSale): readonly string[]
  scripts?(sale: PublicSale, assets: Assets): readonly Html[]
  /** Of a card in the list of sales, beside the price. */
  card?(sale: PublicSale): Html
  /** Below the clock, and below that. */
  note?(sale: PublicSale): Html
  section?(sale: PublicSale): Html
  /**
   * Below the units that are left. A button in it with `data-opens`, whose value is the address of a module, loads that
   * with its first click and calls its `open`; a page whose address has a fragment loads it at once.
   */
  line?(sale: PublicSale, assets: Assets): Html
}
