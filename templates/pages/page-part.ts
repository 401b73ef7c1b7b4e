/** Declares the parts that an option adds to a sale page, and the fields of a sale that pages may read. */
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
  /** Additional styles and scripts, for a sale that needs them. */
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
