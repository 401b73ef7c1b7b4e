/** The report of a sale: sums and times, and nothing that identifies a shopper. */
import type { Live } from '../api/control-answers.ts'
import type { OrderStatus } from '../orders/order.ts'
import type { Sale } from '../sale/sale.ts'
import type { SalePace } from './pace.ts'

/** The columns of `orders.csv` that a report reads: no address, no order number and no code is among them. */
export const reportColumns = [
  ...(['shopperId', 'quantity', 'variant', 'amount', 'currency', 'status', 'reservedAt'] as const),
  ...(['paidAt', 'endedAt', 'refundDue', 'refundReturned', 'dispute', 'source', 'shown'] as const),
]

/** `offered` and `left` are null for an unlimited stock. */
export type UnitFigures = { offered: number | null; sold: number; left: number | null }

type StatusFigures = { status: OrderStatus; orders: number; units: number; amount: number }

/**
 * Orders with a price: `payable` of them became orders, `paid` are paid now, and `revenue` is their amount. `disputed`
 * is the amount of those whose payment is disputed or lost at the bank, which neither counts, as little as those that
 * were sent and whose money went back. `refundDue` and
 * `refundReturned` are what all refunds owe and have returned, as `refundTotal` says. Times are from the reservation to
 * the payment, in ms, of the orders that are paid now; null when no order is.
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

/** Orders that own their units, and those units, by where they came from: a `utm_source`, `(none)` or `(other)`. */
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

/** `void` are the coupons of cancelled orders. `redeemed` is null when it is not known. */
export type CouponFigures = { void: number; redeemed: number | null }

/**
 * `shoppers` have units; `orders` are theirs. `statuses` counts all orders, also those that ended, and is empty for red
 * packets. `sources` begins with the most orders, and is empty where no order has a source. `demand` is null when it is
 * not known, as of an archived sale. `pending` reservations were not written yet when the report was made, at `madeAt`
 * (epoch ms).
 */
export type SaleReport = {
  sale: Sale
  phase: Live['phase']
  madeAt: number
  pending: number
  units: UnitFigures
  shoppers: number
  orders: number
  statuses: readonly StatusFigures[]
  sources: readonly SourceFigures[]
  variants: readonly (UnitFigures & { id: string; name: string })[]
  pace: SalePace
  payments: PaymentFigures | null
  packets: PacketFigures | null
  coupons: CouponFigures | null
  demand: Live['demand']
}
