/** The seam of the page of a sale: what an option shows there, and what the page may know of the sale. */
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

/**
 * `page-parts.ts`: is called when the page is rendered, at each change of the sale, in `control` and `reconcile`. A throw keeps
 * the former page, and the schedule renders it again. A sale without the option gets nothing, so that its page loads no byte of
 * it.
 */
export type PagePartsSeam = {
  /** Loaded beside those of the page, for a sale that needs them. */
  styles?(sale: PublicSale): readonly string[]
  scripts?(sale: PublicSale, assets: Assets): readonly Html[]
  /** Shown beside the price on a card in the list of sales. */
  card?(sale: PublicSale): Html
  /** Shown below the clock. */
  note?(sale: PublicSale): Html
  section?(sale: PublicSale): Html
  /**
   * Below the remaining units. A click on a button with `data-opens` loads the module at its value and calls its `open`.
   * A page whose address has a fragment loads the module at once.
   */
  line?(sale: PublicSale, assets: Assets): Html
}
