/** The fields of a sale that orders and claims need. */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'

/** No field can change once the sale was started. */
export type Offer = Pick<
  Sale,
  | 'kind'
  | 'price'
  | 'currency'
  | 'paymentWindowSeconds'
  | 'paymentGraceSeconds'
  | 'limitPerShopper'
  | 'stock'
  | 'coupons'
  | 'delivery'
  | 'packets'
  | 'windows'
>

/** The offer of a sale, or undefined for an unknown sale. */
export type Offers = { of: (saleId: SaleId) => Promise<Offer | undefined> }
