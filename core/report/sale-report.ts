/** The report of a sale. It has sums and times only, and nothing that identifies a shopper. */
import type { Live } from '../api/control-answers.ts'
import type { OrderStatus } from '../orders/order.ts'
import type { Sale } from '../sale/sale.ts'
import type { SalePace } from './pace.ts'

/** The columns of `orders.csv` for a report: no address, order number or code. */
export const reportColumns = [
  ...(['shopperId', 'quantity', 'variant', 'amount', 'currency', 'status', 'reservedAt'] as const),
  ...(['paidAt', 'endedAt', 'refundDue', 'refundReturned', 'dispute', 'source', 'shown'] as const),
]

/** `offered` and `left` are null for an unlimited stock. */
export type UnitFigures = { offered: number | null; sold: number; left: number | null }

/**
 * Orders with a price: `payable` counts all, `paid` those that are paid now, and `revenue` is the amount of these. `disputed`
 * is the amount of orders whose payment is disputed or lost at the bank. Neither includes shipped orders whose whole amount
 * was refunded. `refundDue` and `refundReturned` are the sums that all refunds owe (`refundTotal`) and have returned. Times
 * are from reservation to payment of the paid orders, in ms; null if there are none.
 */
export type PaymentFigures = {
  payable: number
  paid: number
  revenue: number
  disputed: number
  refundDue: number
  refundReturned: number
  medianMs: number | null
  p95Ms: number | null
}

/** Orders that own their units, by source: a `utm_source`, `(none)` or `(other)`. */
export type SourceFigures = { source: string; orders: number; units: number }

/** Money of red packets in minor units; the last three are null before the first claim. */
export type PacketFigures = {
  budget: number
  claimed: number
  returned: number | null
  smallest: number | null
  median: number | null
  largest: number | null
}

/** `void` counts coupons of cancelled orders. `redeemed` is null if unknown. */
export type CouponFigures = { void: number; redeemed: number | null }

/**
 * `shoppers` and `orders` count those with units. `statuses` counts all orders, including ended ones, and is empty for red
 * packets. `sources` is sorted by orders, descending, and empty if no order has a source. `demand` is null if unknown, as
 * for an archived sale. `pending` reservations were not written yet when the report was made at `madeAt` (epoch ms).
 */
export type SaleReport = {
  sale: Sale
  phase: Live['phase']
  madeAt: number
  pending: number
  units: UnitFigures
  shoppers: number
  orders: number
  statuses: readonly { status: OrderStatus; orders: number; units: number; amount: number }[]
  sources: readonly SourceFigures[]
  variants: readonly (UnitFigures & { id: string; name: string })[]
  pace: SalePace
  payments: PaymentFigures | null
  packets: PacketFigures | null
  coupons: CouponFigures | null
  demand: Live['demand']
}
