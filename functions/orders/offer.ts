/** What a sale offers its shoppers, as far as an order or a claim needs to know it. */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'

/** None of it can change once the sale was started. */
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
  | 'packets'
  | 'windows'
>

/** The offer of a sale, or undefined when there is no such sale. */
export type Offers = { of: (saleId: SaleId) => Promise<Offer | undefined> }
