/** An order: the durable record of one reservation. */
import type { IdempotencyKey, OrderId, SaleId, ShopperId } from '../ids.ts'
import type { Language } from '../language.ts'
import type { RedPacket } from '../packets/packet.ts'
import type { CouponCode } from './coupon.ts'
import type { OrderNumber } from './order-number.ts'
import type { Shipment } from './shipment.ts'

/**
 * `reserved`: in Redis, not yet written. `awaiting-payment`: written; the units are the shopper's. `fulfilled`: free, so
 * complete at once. `cancelled`: ended before it was paid. `rejected`: the reservation never became an order.
 * `refund-due`: a refund is under way. `shipped`: the units left the warehouse. `delivered`: they arrived. A refunded order
 * stays `shipped` or `delivered`, because its units are not sold again.
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
  'shipped',
  'delivered',
] as const

export type OrderStatus = (typeof orderStatuses)[number]

/** `over-cap`: no unit was left. `over-limit`: the shopper had enough. `undeliverable`: its message failed (O7). */
export const rejectReasons = ['over-cap', 'over-limit', 'undeliverable'] as const

/** Why an order ended. `by-provider`: its money was refunded there. `by-shop`: the shop with the money released it. */
export const cancelReasons = ['unpaid', 'by-shopper', 'by-marketer', 'by-provider', 'by-shop'] as const

export type RejectReason = (typeof rejectReasons)[number]
export type CancelReason = (typeof cancelReasons)[number]
export const orderReasons = /* @__PURE__ */ [rejectReasons, cancelReasons].flat()
export type OrderReason = (typeof orderReasons)[number]

/**
 * One attempt to pay, whose id has its number. `product` is the text on the provider's page, the same for every repeat of
 * the attempt, and absent once the provider has reported its money. `language` is that of the page where it was started.
 * `reference` is the provider's id, if it reported one. With `inShop` the shop takes the money in its own checkout, and
 * `reference` is the shop's order.
 */
export type Payment = {
  paymentId: string
  attempt: number
  startedAt: number
  state: PaymentState
  product?: string
  language?: Language
  reference?: string
  inShop?: true
}

/** `authorised`: the money is reserved on the shopper's account, and is being captured. */
export const paymentStates = ['started', 'succeeded', 'failed', 'authorised'] as const
type PaymentState = (typeof paymentStates)[number]

export const shownPaymentStates = ['started', 'succeeded', 'failed'] as const satisfies PaymentState[]

/**
 * A refund of one payment. The shop owes `amount`, which may be 0, and the provider has sent back `returned` so far, both
 * in minor units of `currency`. `failedAt` (epoch ms) is when the bank last returned it; the refund is then not requested
 * again until a person has paid the shopper.
 */
export type OrderRefund = { paymentId: string; amount: number; currency: string; returned: number; failedAt?: number }

/** In order of precedence: of several reports of one dispute, the last one in this list counts. */
export const disputeStates = ['open', 'won', 'lost'] as const
export type DisputeState = (typeof disputeStates)[number]

/**
 * The state of all disputes of one payment at the shopper's bank. `open`: at least one is undecided. `won`: all have ended,
 * and the shop keeps the money. `lost`: the bank has returned money. `at` (epoch ms) is when that was reported. `each` has
 * the state of every dispute by its id.
 */
export type Dispute = {
  paymentId: string
  state: DisputeState
  at: number
  each?: Readonly<Record<string, DisputeState>>
}

/**
 * A redemption of a coupon, identified by the shop and the idempotency key of its request. `shop` is the name of the shop
 * key, `reference` the shop's receipt. Times are epoch ms; `undoneAt` is set once it was undone.
 */
export type Redemption = {
  code: CouponCode
  shop: string
  key: IdempotencyKey
  at: number
  reference?: string
  undoneAt?: number
}

/** A step of a history, possibly of a later version. `at` is epoch ms. */
export type OrderStep = { at: number; what: string; status: string }

/** `what` is a `HistoryWord` of the version that wrote it, so other versions may not know it. */
export type HistoryEntry = OrderStep & { status: OrderStatus }

/**
 * Times are epoch ms. `amount` is in minor units of `currency`, and includes `deliveryCost` once a payment was started. Orders
 * of red packets have no `orderNumber`. `variant` is set in a sale with variants. `source` is where the shopper came from
 * (`parseOrderSource`). `payBy` is shown to the shopper; `cancelAt` is later while a payment is under way. `paymentQueue` is
 * set if the payment page of an attempt had to wait: when it may be opened, and by how much waiting has extended the time to
 * pay in all. `refunds` has at most one entry per payment. `coupons` are the codes of an order of coupons, one per unit; an
 * ended order keeps them, so that void codes are recognised. `redemptions` include undone ones, in chronological order.
 * `capPart` is the part of the sale's cap that counts the units, absent for the first. `dispute` is the dispute of the payment
 * that pays the order; `otherDisputes` are those of other payments, which may be reported later. `history` only grows, and its
 * length is the revision of the order.
 */
export type Order = {
  orderId: OrderId
  orderNumber?: OrderNumber
  saleId: SaleId
  shopperId: ShopperId
  quantity: number
  variant?: string
  packet?: RedPacket
  source?: string
  amount: number
  deliveryCost?: number
  currency: string
  status: OrderStatus
  reservedAt: number
  writtenAt: number
  payBy: number
  cancelAt: number
  reason?: OrderReason
  payment?: Payment
  paymentQueue?: { attempt: number; opensAt: number; pausedMs: number }
  refunds?: readonly OrderRefund[]
  coupons?: readonly CouponCode[]
  redemptions?: readonly Redemption[]
  capPart?: number
  shipment?: Shipment
  dispute?: Dispute
  otherDisputes?: readonly Dispute[]
  history: readonly HistoryEntry[]
}

/** An order that has lost its units for good. `isPacketTaken`: its red packet belongs to another order. */
export type FinalOrder = Pick<Order, 'orderId' | 'shopperId'> & { isPacketTaken?: boolean }

/** Statuses of orders that own their units and need no payment any more. */
const soldStatuses: readonly OrderStatus[] = ['paid', 'fulfilled', 'shipped', 'delivered']
const holdingStatuses: ReadonlySet<string> = /* @__PURE__ */ (() =>
  new Set(['reserved', 'awaiting-payment', ...soldStatuses]))()

/** True while an order in this status owns its units (I1); false for a status of a later version. */
export function holdsUnits(status: string): boolean {
  return holdingStatuses.has(status)
}

/** True for an order whose money the shop takes in its own checkout. */
export function isPaidInShop({ payment }: Pick<Order, 'payment'>): boolean {
  return payment?.inShop === true
}

/** True while an order in this status owns its units and needs no payment any more. */
export function isSoldStatus(status: OrderStatus): boolean {
  return soldStatuses.includes(status)
}

/** True once the units have left the warehouse, so that they cannot be sold again. */
export function isShipped({ status }: Pick<Order, 'status'>): boolean {
  return status === 'shipped' || status === 'delivered'
}

/** True for an order with paid units. It stays true for a shipped order that is refunded. */
export function isPaid(order: Pick<Order, 'status' | 'amount'>): boolean {
  return order.status === 'paid' || (isShipped(order) && order.amount > 0)
}

/** Returns the dispute of one payment of the order, whether or not that payment pays the order. */
export function disputeOf(
  { dispute, otherDisputes = [] }: Pick<Order, 'dispute' | 'otherDisputes'>,
  paymentId: string,
): Dispute | undefined {
  return dispute?.paymentId === paymentId ? dispute : otherDisputes.find((one) => one.paymentId === paymentId)
}

/** True while the payment is disputed at the bank or lost. The order is then neither shipped nor refunded. */
export function isContested({ dispute }: { dispute?: Pick<Dispute, 'state'> | undefined }): boolean {
  return dispute !== undefined && dispute.state !== 'won'
}

const historyWords = [
  'reserved',
  'written',
  'rejected',
  'payment-queued',
  'payment-started',
  'payment-authorised',
  'payment-disputed',
  'dispute-won',
  'dispute-lost',
  'refund-failed',
  'refund-settled',
  'payment-succeeded',
  'payment-failed',
  'payment-window-over',
  'cancelled-by-shopper',
  'confirmed-by-shop',
  'released-by-shop',
  'refunded-by-marketer',
  'refund-succeeded',
  'other-money-received',
  'money-returned',
  'shipped',
  'delivered',
  'coupon-redeemed',
  'redemption-undone',
] as const
export type HistoryWord = (typeof historyWords)[number]

/** True when this version knows the word: a page may be older than the shop. */
export const isHistoryWord = (what: string): what is HistoryWord => historyWords.some((word) => word === what)
