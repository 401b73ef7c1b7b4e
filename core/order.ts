/** The lasting record of one reservation, and what its shopper may see of it. */
import type { CouponCode } from './coupon.ts'
import type { OrderId, SaleId, ShopperId } from './ids.ts'

/**
 * `reserved`: promised by Redis, not yet written. `awaiting-payment`: written, the units are the shopper's.
 * `paid`. `fulfilled`: nothing was to be paid, all is done. `cancelled`: given back before it was paid.
 * `rejected`: the reservation never became an order. `refund-due`: the money goes back. `refunded`: it is back.
 */
export const orderStatuses = [
  'reserved',
  'awaiting-payment',
  'paid',
  'fulfilled',
  'cancelled',
  'rejected',
  'refund-due',
  'refunded',
] as const

export type OrderStatus = (typeof orderStatuses)[number]

/**
 * Why a reservation never became an order. `over-cap`: no unit was left. `over-limit`: the shopper had enough.
 * `undeliverable`: its message could not be handed on (O7). `lost`: its message never came.
 */
export const rejectReasons = ['over-cap', 'over-limit', 'undeliverable', 'lost'] as const

/** Why an order that stood does not stand any more. `by-provider`: its money was refunded at the payment provider. */
export const cancelReasons = ['unpaid', 'by-shopper', 'by-marketer', 'by-provider'] as const

export type RejectReason = (typeof rejectReasons)[number]
export type CancelReason = (typeof cancelReasons)[number]
export type OrderReason = RejectReason | CancelReason

/** One attempt to pay; the id says which of the order's attempts it is. */
export type Payment = { paymentId: string; attempt: number; startedAt: number; state: PaymentState }

export const paymentStates = ['started', 'succeeded', 'failed'] as const
export type PaymentState = (typeof paymentStates)[number]

/**
 * Money of one payment that goes back. `amount` is what is owed to the shopper, 0 while nothing is; `returned` is what the
 * provider has sent back so far. Both are in minor units of `currency`.
 */
export type OrderRefund = { paymentId: string; amount: number; currency: string; returned: number }

/**
 * One step of an order's life: what happened when, and the status it led to. `at` is epoch ms. `what` is a `HistoryWord`
 * of whichever version wrote it, so its reader may never have heard of it.
 */
export type HistoryEntry = { at: number; what: string; status: OrderStatus }

/**
 * Times are epoch ms; `amount` is in minor units of `currency`. `payBy` is what the shopper was told; `cancelAt` is
 * later while a payment is on its way. `refunds` has at most one entry for each payment. `coupons` are the codes of
 * an order of coupons, one for each unit; they stay with an order that is taken back, so that it is known which are void.
 * `history` only grows, and its length is the revision of the order.
 */
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
  cancelAt: number
  reason?: OrderReason
  payment?: Payment
  refunds?: readonly OrderRefund[]
  coupons?: readonly CouponCode[]
  history: readonly HistoryEntry[]
}

/** An order that lost its units for good, and whose it was. */
export type FinalOrder = Pick<Order, 'orderId' | 'shopperId'>

/** What `GET /api/orders/{orderId}` answers. `payBy` is null while there is nothing to pay. */
export type OrderView = Pick<
  Order,
  'orderId' | 'saleId' | 'quantity' | 'amount' | 'currency' | 'status' | 'reservedAt' | 'history'
> & {
  payBy: number | null
  /** How the latest payment stands; absent before the first. */
  payment?: PaymentState
  /** What of the order's money was sent back, in minor units; absent while it is nothing. */
  refundedAmount?: number
  reason?: OrderReason
  /** The codes, while the order stands. */
  coupons?: readonly CouponCode[]
  /** From when until when they can be redeemed, epoch ms; absent where the sale sets no bound. */
  validFrom?: number
  validUntil?: number
}

const holding: ReadonlySet<OrderStatus> = new Set(['reserved', 'awaiting-payment', 'paid', 'fulfilled'])

/** True while the units of an order in this status are its shopper's and nobody else's (I1). */
export function holdsUnits(status: OrderStatus): boolean {
  return holding.has(status)
}
