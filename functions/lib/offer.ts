/** The fields of a sale that orders need. */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'

/** Once the sale was started, no field changes but stocks, names of variants, and the title. */
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

export type Offers = { of: (saleId: SaleId) => Promise<Offer | undefined> }
