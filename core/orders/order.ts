/** The lasting record of one reservation, and what its shopper may see of it. */
import type { IdempotencyKey, OrderId, SaleId, ShopperId } from '../ids.ts'
import type { Language } from '../language.ts'
import type { RedPacket } from '../packets/packet.ts'
import type { CouponCode } from './coupon.ts'
import type { OrderNumber } from './order-number.ts'
import type { Shipment } from './shipment.ts'

/**
 * `reserved`: in Redis, not yet written. `awaiting-payment`: written, the units are the shopper's. `paid`. `fulfilled`:
 * free, so complete at once. `cancelled`: ended before it was paid. `rejected`: the reservation never became an order.
 * `refund-due`: the money goes back. `refunded`: it is back. `shipped`: its units left the warehouse. `delivered`: they
 * arrived. Those two are kept also when the money goes back, because such units do not go on sale again.
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
 * One attempt to pay; the id says which of the order's attempts it is. `product` is what the provider's page says is
 * paid for, the same for every repeat of the attempt; absent once the provider has reported its money. `language` is that
 * of the page from which it was started. `reference` is the provider's own id of it, where the provider reported one. With
 * `inShop` the shop takes the money in its own checkout, and `reference` is the shop's order.
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

/** How an attempt stands for its shopper. */
export const shownPaymentStates = ['started', 'succeeded', 'failed'] as const satisfies PaymentState[]

/**
 * A refund of one payment. `amount` is what is owed to the shopper, 0 for nothing; `returned` is
 * what the provider has sent back so far. Both are in minor units of `currency`. `failedAt` (epoch ms)
 * is when the bank returned it last; it is then never requested again, until a person settles it.
 */
export type OrderRefund = { paymentId: string; amount: number; currency: string; returned: number; failedAt?: number }

/** In the order in which reports of one dispute outweigh each other. */
export const disputeStates = ['open', 'won', 'lost'] as const
export type DisputeState = (typeof disputeStates)[number]

/**
 * How the disputes of one payment at the shopper's bank stand. `open`: the bank decides one. `won`: all
 * have ended, and the shop keeps the money. `lost`: the bank has given money back. `at` (epoch ms) is when that
 * was reported. `each` has the state of every dispute by its id.
 */
export type Dispute = {
  paymentId: string
  state: DisputeState
  at: number
  each?: Readonly<Record<string, DisputeState>>
}

/**
 * A coupon that was redeemed, named by the shop and the idempotency key of its request. `shop` is the name of the shop
 * key that redeemed, `reference` the shop's own receipt. Times are epoch ms; `undoneAt` is set once it was undone.
 */
export type Redemption = {
  code: CouponCode
  shop: string
  key: IdempotencyKey
  at: number
  reference?: string
  undoneAt?: number
}

/** A step of an order's history as a later version may have written it. `at` is epoch ms. */
export type OrderStep = { at: number; what: string; status: string }

/** `what` is a `HistoryWord` of the version that wrote it, so a reader may not know it. */
export type HistoryEntry = OrderStep & { status: OrderStatus }

/**
 * Times are epoch ms; `amount` is in minor units of `currency`, and includes `deliveryCost` once a payment was started.
 * `orderNumber` is what people call it by; orders of red packets have none. `variant` says of which variant the
 * units are, in a sale that has some. `packet` is the red packet that the order gives its shopper. `source` is where
 * the shopper came from (`parseOrderSource`). `payBy` is the time shown to the shopper; `cancelAt` is later while a
 * payment is under way. `turn` says when the payment page of that attempt may be opened, where it has to wait, and for
 * how long the time to pay has stood still in all. `refunds` has at most one entry per payment. `coupons` are the codes
 * of an order of coupons, one per unit; an ended order keeps them, so that void codes are known. `redemptions` are
 * theirs, also the undone ones, in their order. `capPart` is the part of the sale's cap that counts its units, where it
 * is not the first. `shipment` is how it was sent, absent before that. `dispute` is how those of the payment stand that
 * pays the order, `otherDisputes` how those of any other payment do, which may only be reported later.
 * `history` only grows, and its length is the revision of the order.
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
  turn?: { attempt: number; opensAt: number; pausedMs: number }
  refunds?: readonly OrderRefund[]
  coupons?: readonly CouponCode[]
  redemptions?: readonly Redemption[]
  capPart?: number
  shipment?: Shipment
  dispute?: Dispute
  otherDisputes?: readonly Dispute[]
  history: readonly HistoryEntry[]
}

/** An order that lost its units for good, and its shopper. `isPacketTaken`: its red packet is that of another order. */
export type FinalOrder = Pick<Order, 'orderId' | 'shopperId'> & { isPacketTaken?: boolean }

/** Statuses with nothing left to pay. */
const soldStatuses: readonly OrderStatus[] = ['paid', 'fulfilled', 'shipped', 'delivered']
const holdingStatuses: ReadonlySet<string> = /* @__PURE__ */ (() =>
  new Set(['reserved', 'awaiting-payment', ...soldStatuses]))()

/** True while an order in this status owns its units (I1); false for one that a later version wrote. */
export function holdsUnits(status: string): boolean {
  return holdingStatuses.has(status)
}

/** True for an order whose money the shop takes in its own checkout. */
export function isPaidInShop({ payment }: Pick<Order, 'payment'>): boolean {
  return payment?.inShop === true
}

/** True while an order in this status owns its units and waits for no payment. */
export function isSoldStatus(status: OrderStatus): boolean {
  return soldStatuses.includes(status)
}

/** True once the units of the order left the warehouse: they are not sold again. */
export function isShipped({ status }: Pick<Order, 'status'>): boolean {
  return status === 'shipped' || status === 'delivered'
}

/** True for an order with units that were paid for. A shipped one stays so when money goes back. */
export function isPaid(order: Pick<Order, 'status' | 'amount'>): boolean {
  return order.status === 'paid' || (isShipped(order) && order.amount > 0)
}

/** Returns how the disputes of one payment of the order stand, whether or not it pays the order. */
export function disputeOf(
  { dispute, otherDisputes = [] }: Pick<Order, 'dispute' | 'otherDisputes'>,
  paymentId: string,
): Dispute | undefined {
  return dispute?.paymentId === paymentId ? dispute : otherDisputes.find((one) => one.paymentId === paymentId)
}

/** True while the money of the order is disputed at the bank, or is lost: it is not sent and not refunded. */
export function isContested({ dispute }: { dispute?: Pick<Dispute, 'state'> | undefined }): boolean {
  return dispute !== undefined && dispute.state !== 'won'
}

/** What the history of an order can say. */
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

/** True when this version has the word: a page may be older than the shop. */
export const isHistoryWord = (what: string): what is HistoryWord => historyWords.some((word) => word === what)
