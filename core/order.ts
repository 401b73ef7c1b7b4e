/** The lasting record of one reservation, and what its shopper may see of it. */
import type { OrderId, SaleId, ShopperId } from './ids.ts'

/**
 * `reserved`: promised by Redis, not yet written. `awaiting-payment`: written, the units are the shopper's.
 * `rejected`: the writer found no unit left under the cap, or the shopper over the limit.
 */
export type OrderStatus = 'reserved' | 'awaiting-payment' | 'rejected'

/** Times are epoch ms; `amount` is in minor units of `currency`. `reason` is set when the order is rejected. */
export type Order = {
  orderId: OrderId
  saleId: SaleId
  shopperId: ShopperId
  quantity: number
  amount: number
  currency: string
  status: OrderStatus
  reservedAt: number
  writtenAt: number
  payBy: number
  reason?: RejectReason
}

export type RejectReason = 'over-cap' | 'over-limit'

/** What `GET /api/orders/{orderId}` answers. `payBy` is null while the order is only reserved. */
export type OrderView = Pick<
  Order,
  'orderId' | 'saleId' | 'quantity' | 'amount' | 'currency' | 'status' | 'reservedAt'
> & {
  payBy: number | null
  reason?: RejectReason
}
