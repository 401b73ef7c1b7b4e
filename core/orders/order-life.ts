/**
 * The life of a written order: the only table of which step may follow which (O8, O9), and the pure
 * step from one state to the next. The caller makes DynamoDB check that the order is still the one
 * that was read, so of two concurrent steps one succeeds and the other is decided again.
 */
import type { Language } from '../language.ts'
import type { Money } from '../money.ts'
import {
  type CancelReason,
  type Dispute,
  disputeOf,
  disputeStates,
  type HistoryEntry,
  type HistoryWord,
  isContested,
  isPaid,
  isPaidInShop,
  isShipped,
  type Order,
  type OrderRefund,
  type OrderStatus,
  type Payment,
} from './order.ts'
import { failedRefunds, refundable, refundOf, refundTotal, withRefund } from './order-refunds.ts'
import {
  type RedeemRequest,
  type RedemptionFault,
  type RedemptionStep,
  redeemedCount,
  redeemStep,
  type UndoRequest,
  undoStep,
} from './redemption.ts'
import { isSameShipment, type Shipment } from './shipment.ts'

/**
 * `payment-succeeded` may arrive in any status, because the provider decides when it reports. So may
 * `refund-succeeded`, which reports one refund of a payment, in full or in part. `amount` and `currency` are what
 * arrived or went back, `graceMs` how long beyond `payBy` a payment under way keeps the units, `product` what the
 * provider's page says is paid for, and `language` that of the shopper; with `needsDelivery` it starts only while the
 * order has an address, with its `country` one there. `deliveryCost` is what the order costs beside its goods.
 * `opensAt` is when the provider allows its page, epoch ms. With `inShop` the shop takes the money, and reports it as
 * `confirmed-by-shop` with its own `reference`. With `isReleased` the provider has answered that an authorisation ended
 * without money.
 *
 * The provider's reports of payments, refunds and disputes may arrive in any order, twice and late: the order that they
 * lead to follows from the set of them.
 */
export type LifeEvent =
  | { kind: 'payment-queued'; opensAt: number }
  | {
      kind: 'payment-started'
      graceMs: number
      product?: string
      language?: Language | undefined
      needsDelivery?: NeededDelivery
      deliveryCost?: number
      inShop?: true
    }
  | ({ kind: 'payment-authorised' } & PaymentMoney)
  | ({ kind: 'payment-succeeded' } & PaymentMoney)
  | { kind: 'payment-disputed'; paymentId: string; disputeId?: string }
  | { kind: 'dispute-won'; paymentId: string; disputeId?: string }
  | ({ kind: 'dispute-lost'; disputeId?: string } & PaymentMoney)
  | { kind: 'refund-failed'; paymentId: string; currency: string }
  | { kind: 'refund-settled' }
  | { kind: 'payment-failed'; paymentId: string; isReleased?: true }
  | { kind: 'payment-window-over' }
  | { kind: 'cancelled-by-shopper' }
  | { kind: 'confirmed-by-shop'; reference: string }
  | { kind: 'released-by-shop' }
  | { kind: 'refunded-by-marketer' }
  | { kind: 'refund-succeeded'; paymentId: string; amount: number; currency: string }
  | ({ kind: 'shipped' } & Shipment)
  | { kind: 'delivered' }
  | ({ kind: 'coupon-redeemed' } & RedeemRequest)
  | ({ kind: 'redemption-undone' } & UndoRequest)

/** A step that needs any delivery of the order, or one to that country. */
export type NeededDelivery = boolean | { country: string }

type LifeEventKind = LifeEvent['kind']

/** Returns an entry of a history; `at` is epoch ms. */
export function historyEntry(at: number, what: HistoryWord, status: OrderStatus): HistoryEntry {
  return { at, what, status }
}

/** The next status for each event and status. An event without an entry changes nothing. */
export const transitions: Readonly<Record<LifeEventKind, Readonly<Partial<Record<OrderStatus, OrderStatus>>>>> = {
  'payment-queued': { 'awaiting-payment': 'awaiting-payment' },
  'payment-started': { 'awaiting-payment': 'awaiting-payment' },
  'payment-authorised': { 'awaiting-payment': 'awaiting-payment' },
  'payment-failed': { 'awaiting-payment': 'awaiting-payment' },
  'payment-succeeded': { 'awaiting-payment': 'paid', cancelled: 'refund-due', rejected: 'refund-due' },
  'payment-disputed': {},
  'dispute-won': {},
  'dispute-lost': {},
  'refund-failed': {},
  'refund-settled': {},
  'payment-window-over': { 'awaiting-payment': 'cancelled' },
  'cancelled-by-shopper': { 'awaiting-payment': 'cancelled' },
  'confirmed-by-shop': { 'awaiting-payment': 'paid' },
  'released-by-shop': { 'awaiting-payment': 'cancelled', paid: 'refunded' },
  'refunded-by-marketer': {
    'awaiting-payment': 'cancelled',
    fulfilled: 'cancelled',
    paid: 'refund-due',
    shipped: 'shipped',
    delivered: 'delivered',
  },
  'refund-succeeded': { 'refund-due': 'refunded', paid: 'refunded', shipped: 'shipped', delivered: 'delivered' },
  shipped: { paid: 'shipped', fulfilled: 'shipped', shipped: 'shipped' },
  delivered: { shipped: 'delivered' },
  'coupon-redeemed': { fulfilled: 'fulfilled' },
  'redemption-undone': { fulfilled: 'fulfilled' },
}

/**
 * How long an order with an authorised payment cannot be cancelled, so that the money can be captured: five minutes, in
 * which `reconcile` retries a failed capture four times.
 */
export const captureMs = 300_000

/** No capture starts in the last ten seconds of that time, because the provider may be slow. */
const captureMarginMs = 10_000

/** Money of one payment, to be refunded or authorised. `reference` is the provider's id, if it reported one. */
export type PaymentMoney = Money & { paymentId: string; reference?: string }

/** A reported refund that does not match: at most `left` of `reported` could still be refunded. */
export type RefundMismatch = { reported: PaymentMoney; left: Money }

/**
 * `moved`: write `order` in place of the old one, with `needsDelivery` only if its delivery is stored, and request
 * `refund`. `same`: a repeat, or an event without effect in this status; `before` is the amount that the payment brought
 * when it was counted, if it differs. `mismatch`: a refund that was not counted. `not-yet`: the timer is early; retry at
 * `at`. `too-late`: the time to pay is over. `refused`: the transitions or a coupon's `fault` do not allow it.
 */
export type LifeStep =
  | { kind: 'moved'; order: Order; needsDelivery?: NeededDelivery; refund?: PaymentMoney; mismatch?: RefundMismatch }
  | { kind: 'same'; before?: PaymentMoney; mismatch?: RefundMismatch }
  | { kind: 'not-yet'; at: number }
  | { kind: 'too-late' }
  | { kind: 'refused'; fault?: RedemptionFault }

type Moved = Extract<LifeStep, { kind: 'moved' }>

const same: LifeStep = { kind: 'same' }

const reasons: Partial<Record<LifeEventKind, CancelReason>> = {
  'payment-window-over': 'unpaid',
  'cancelled-by-shopper': 'by-shopper',
  'refunded-by-marketer': 'by-marketer',
  'released-by-shop': 'by-shop',
}

/** Returns the effect of `event` on `order` at `now` (epoch ms). */
export function advance(order: Order, event: LifeEvent, now: number): LifeStep {
  // The money of a red packet is credited with its order.
  if (order.packet !== undefined) return { kind: 'refused' }
  switch (event.kind) {
    case 'payment-queued':
      return queuePayment(order, event.opensAt, now)
    case 'payment-started':
      return startPayment(order, event, now)
    case 'payment-authorised':
      return authorise(order, event, now)
    case 'payment-succeeded':
      return receiveMoney(order, event, now)
    case 'payment-disputed':
    case 'dispute-won':
    case 'dispute-lost':
      return recordDispute(order, event, now)
    case 'refund-failed':
      return failRefund(order, event, now)
    case 'refund-settled':
      return settleRefunds(order, now)
    case 'payment-failed':
      return failPayment(order, event, now)
    case 'refund-succeeded':
      return countRefund(order, event, now)
    case 'payment-window-over':
      if (order.status === 'awaiting-payment' && now < order.cancelAt) {
        return { kind: 'not-yet', at: order.cancelAt }
      }
      return applyTransition(order, event.kind, now)
    case 'cancelled-by-shopper':
      if (order.status === 'cancelled') return same
      return isAllowed(order, event.kind) && !isBeingCaptured(order, now)
        ? applyTransition(order, event.kind, now)
        : { kind: 'refused' }
    case 'confirmed-by-shop':
      return confirmByShop(order, event, now)
    case 'released-by-shop':
      return releaseByShop(order, now)
    case 'refunded-by-marketer':
      return refundByMarketer(order, now)
    case 'shipped':
      return ship(order, event, now)
    case 'delivered':
      if (order.status === 'delivered') return same
      return isAllowed(order, event.kind) ? applyTransition(order, event.kind, now) : { kind: 'refused' }
    case 'coupon-redeemed':
      return redeemed(order, event.kind, redeemStep(order, event, now), now)
    case 'redemption-undone':
      return redeemed(order, event.kind, undoStep(order, event, now), now)
  }
}

function redeemed(order: Order, kind: LifeEventKind, step: RedemptionStep, now: number): LifeStep {
  return step.kind === 'moved' ? applyTransition(order, kind, now, { redemptions: step.redemptions }) : step
}

/** Returns the id of an order's `attempt`-th payment. Repeats have the same id, so the provider makes one payment. */
export function paymentIdOf({ orderId }: Pick<Order, 'orderId'>, attempt: number): string {
  return `${orderId}.${attempt}`
}

/** Maximum time by which the payment queue extends the time to pay, ms. */
export const maxQueueMs = 900_000

/** Returns when the payment page of the next attempt may be opened; undefined if it is not queued, or a payment is under way. */
export function paymentOpensAt({ payment, paymentQueue }: Pick<Order, 'payment' | 'paymentQueue'>): number | undefined {
  return !isUnderWay(payment) && paymentQueue?.attempt === nextAttempt(payment) ? paymentQueue.opensAt : undefined
}

const nextAttempt = (payment: Payment | undefined) => (payment?.attempt ?? 0) + 1

/**
 * Extends the time to pay until the page may be opened. This happens before the first call to the provider for the
 * attempt, because that call sends the end of the time to pay.
 */
function queuePayment(order: Order, opensAt: number, now: number): LifeStep {
  if (!isAllowed(order, 'payment-queued')) return { kind: 'refused' }
  if (isUnderWay(order.payment) || paymentOpensAt(order) !== undefined) return same
  if (now >= order.payBy) return { kind: 'too-late' }
  const before = order.paymentQueue?.pausedMs ?? 0
  // By the clock of another machine the page may be due already.
  const pausedMs = Math.min(before + Math.max(0, opensAt - now), maxQueueMs)
  const payBy = order.payBy + pausedMs - before
  const paymentQueue = { attempt: nextAttempt(order.payment), opensAt, pausedMs }
  return applyTransition(order, 'payment-queued', now, { paymentQueue, payBy, cancelAt: payBy })
}

function startPayment(
  order: Order,
  {
    graceMs,
    product,
    language,
    needsDelivery = false,
    deliveryCost,
    inShop,
  }: Extract<LifeEvent, { kind: 'payment-started' }>,
  now: number,
): LifeStep {
  if (!isAllowed(order, 'payment-started')) return { kind: 'refused' }
  if (isUnderWay(order.payment)) return same
  if (now >= order.payBy) return { kind: 'too-late' }
  const attempt = nextAttempt(order.payment)
  const payment: Payment = {
    paymentId: paymentIdOf(order, attempt),
    attempt,
    startedAt: now,
    state: 'started',
    ...(product !== undefined && { product }),
    ...(language !== undefined && { language }),
    ...(inShop && { inShop }),
  }
  const cost = deliveryCost !== undefined && {
    deliveryCost,
    amount: order.amount - (order.deliveryCost ?? 0) + deliveryCost,
  }
  const step = applyTransition(order, 'payment-started', now, { payment, cancelAt: order.payBy + graceMs, ...cost })
  return step.kind === 'moved' && needsDelivery ? { ...step, needsDelivery } : step
}

/**
 * Accepts authorised money of any attempt, and extends the order's life for the capture. Money that is not accepted does
 * not change the order and is released.
 */
function authorise(
  order: Order,
  { kind, paymentId, amount, currency, reference }: Extract<LifeEvent, { kind: 'payment-authorised' }>,
  now: number,
): LifeStep {
  const isExpected = amount === order.amount && currency === order.currency
  const isCounted = order.payment?.state === 'authorised' || countedMoney(order, paymentId) !== undefined
  if (!isExpected || isCounted) return same
  const { attempt, startedAt } = order.payment ?? { attempt: 1, startedAt: now }
  const payment: Payment = { paymentId, attempt, startedAt, state: 'authorised', ...(reference && { reference }) }
  return applyTransition(order, kind, now, { payment, cancelAt: Math.max(order.cancelAt, now + captureMs) })
}

/**
 * Decides what is due for an authorisation of `order` at `now` (epoch ms): an order that can still be paid
 * gets the money that it accepted, any other authorisation is released. `wait`: the order is about to
 * be cancelled. `none`: the money was captured and counted.
 */
export function settlementOf(
  order: Order | undefined,
  paymentId: string,
  now: number,
): 'capture' | 'release' | 'wait' | 'none' {
  if (order === undefined) return 'release'
  if (countedMoney(order, paymentId) !== undefined) return 'none'
  if (!isAuthorised(order) || order.payment?.paymentId !== paymentId) return 'release'
  return now < order.cancelAt - captureMarginMs ? 'capture' : 'wait'
}

/** Returns the authorised money that the step from `from` to `to` accepted; undefined for any other step. */
export function acceptedMoney(from: Order, to: Order): PaymentMoney | undefined {
  const { amount, currency, payment } = to
  if (payment?.state !== 'authorised' || from.payment?.state === 'authorised') return undefined
  const { paymentId } = payment
  return { paymentId, amount, currency, ...referenceOf(to, paymentId, undefined) }
}

function isAuthorised({ status, payment }: Order): boolean {
  return status === 'awaiting-payment' && payment?.state === 'authorised'
}

/** True while the shopper may be on the provider's page, or the money is being captured. */
export function isBeingPaid({ status, payment }: Pick<Order, 'status' | 'payment'>): boolean {
  return status === 'awaiting-payment' && isUnderWay(payment)
}

/** True while a cancellation could race with the capture of the money. */
function isBeingCaptured(order: Order, now: number): boolean {
  return isAuthorised(order) && now < order.cancelAt
}

/** Returns the payment attempt that the step from `from` to `to` has ended, so that its page can be closed. */
export function endedAttempt(from: Order, to: Order): Payment | undefined {
  const { status, payment } = from
  if (status !== 'awaiting-payment' || payment?.state !== 'started' || isPaidInShop(from)) return undefined
  const isSame = to.payment?.paymentId === payment.paymentId
  return isSame && (to.status === status || to.payment?.state !== 'started') ? undefined : payment
}

function isUnderWay(payment: Payment | undefined): boolean {
  return payment?.state === 'started' || payment?.state === 'authorised'
}

/** Counts money of any attempt. */
function receiveMoney(
  order: Order,
  { kind, paymentId, amount, currency, reference }: Extract<LifeEvent, { kind: 'payment-succeeded' }>,
  now: number,
): LifeStep {
  const before = countedMoney(order, paymentId)
  if (before !== undefined) {
    return before.amount === amount && before.currency === currency ? same : { kind: 'same', before }
  }
  // Without money there is nothing to refund.
  if (amount === 0) return failPayment(order, { paymentId }, now)
  const early = refundOf(order, paymentId)
  const returned = early?.currency === currency ? Math.min(early.returned, amount) : 0
  const owed: OrderRefund = { ...early, paymentId, amount, currency, returned }
  const step = bookMoney(order, kind, owed, referenceOf(order, paymentId, reference), now)
  if (early === undefined || early.returned === returned) return step
  const reported = { paymentId, amount: early.returned, currency: early.currency }
  return { ...step, mismatch: { reported, left: { amount, currency } } }
}

function countedMoney(order: Order, paymentId: string): PaymentMoney | undefined {
  if (isPaidBy(order, paymentId)) return { paymentId, amount: order.amount, currency: order.currency }
  const refund = refundOf(order, paymentId)
  if (refund === undefined || refund.amount === 0) return undefined
  return { paymentId, amount: refund.amount, currency: refund.currency }
}

/** Keeps the money or owes a refund. `owed` is the whole payment, with refunds that were reported before it. */
function bookMoney(
  order: Order,
  kind: 'payment-succeeded',
  owed: OrderRefund,
  reference: Pick<Payment, 'reference'>,
  now: number,
): Moved {
  const { paymentId, amount, currency, returned } = owed
  const refund = returned < amount ? { paymentId, amount: amount - returned, currency, ...reference } : undefined
  const to = transitions[kind][order.status]
  const isExpected = amount === order.amount && currency === order.currency
  if (!isExpected || to === undefined) {
    // The order is paid already, or does not accept this money: it is refunded, and the status stays.
    const changes = { ...failedAttempt(order, paymentId), ...withRefund(order, owed) }
    return moved(order, now, 'other-money-received', order.status, changes, refund)
  }
  const { attempt, startedAt } = order.payment ?? { attempt: 1, startedAt: now }
  const payment: Payment = { paymentId, attempt, startedAt, state: 'succeeded', ...reference }
  const isOwed = to === 'refund-due' || refund === undefined
  const changes = { payment, ...withRefund(order, isOwed ? owed : { ...owed, amount: 0 }) }
  const step = moved(withOwnDispute(order, paymentId), now, kind, to, changes, isOwed ? refund : undefined)
  return refund === undefined ? refunded(step.order, {}, now) : step
}

function referenceOf({ payment }: Order, paymentId: string, reported: string | undefined): Pick<Payment, 'reference'> {
  const reference = reported ?? (payment?.paymentId === paymentId ? payment.reference : undefined)
  return reference === undefined ? {} : { reference }
}

/**
 * Counts money of one payment that went back, whether or not the shop has requested it. It never counts more than the
 * payment brought, so refunds and lost disputes add up to the same sum in any order.
 */
function countRefund(
  order: Order,
  { paymentId, amount, currency }: Extract<LifeEvent, { kind: 'refund-succeeded' }>,
  now: number,
): LifeStep {
  const known = refundOf(order, paymentId)
  const returned = known?.returned ?? 0
  const came = countedMoney(order, paymentId)
  // A refund may be reported before its payment. The amount paid is still unknown then.
  const left = {
    amount: (came?.amount ?? Number.MAX_SAFE_INTEGER) - returned,
    currency: (came ?? known)?.currency ?? currency,
  }
  const counted = currency === left.currency ? Math.min(amount, left.amount) : 0
  const isMatch = amount > 0 && counted === amount
  const mismatch = isMatch ? {} : { mismatch: { reported: { paymentId, amount, currency }, left } }
  if (counted === 0) return { kind: 'same', ...mismatch }
  const owed = { ...known, paymentId, amount: known?.amount ?? 0, currency, returned: returned + counted }
  if (isPaidBy(order, paymentId) && counted === left.amount) {
    return { ...refunded(order, withRefund(order, { ...owed, amount: order.amount }), now), ...mismatch }
  }
  return { ...moved(order, now, 'money-returned', order.status, withRefund(order, owed)), ...mismatch }
}

const reportedStates = { 'payment-disputed': 'open', 'dispute-won': 'won', 'dispute-lost': 'lost' } as const

/**
 * Records the state of a dispute, which may be reported before its payment. The money of a lost dispute counts like a refund
 * by the provider: once, and it ends an order that was not shipped. When a payment has several disputes, a lost
 * one takes precedence, then an open one. When a dispute has several reports, the last one in the order of `disputeStates`
 * counts, so a loss is final.
 */
function recordDispute(
  order: Order,
  event: Extract<LifeEvent, { kind: keyof typeof reportedStates }>,
  now: number,
): LifeStep {
  const { kind, paymentId, disputeId = paymentId } = event
  const states = new Map(Object.entries(disputeOf(order, paymentId)?.each ?? {}))
  const before = states.get(disputeId)
  const reported = reportedStates[kind]
  if (before !== undefined && disputeStates.indexOf(before) >= disputeStates.indexOf(reported)) return same
  states.set(disputeId, reported)
  const all = new Set(states.values())
  const state = all.has('lost') ? 'lost' : all.has('open') ? 'open' : 'won'
  const dispute: Dispute = { paymentId, state, at: now, each: Object.fromEntries(states) }
  const noted = moved(order, now, kind, order.status, withDispute(order, dispute))
  if (kind !== 'dispute-lost') return noted
  const { amount, currency } = event
  const counted = countRefund(noted.order, { kind: 'refund-succeeded', paymentId, amount, currency }, now)
  if (counted.kind === 'moved') return counted
  return 'mismatch' in counted ? { ...noted, mismatch: counted.mismatch } : noted
}

function withDispute(order: Order, dispute: Dispute): Pick<Order, 'dispute' | 'otherDisputes'> {
  const { paymentId } = dispute
  if (isPaidBy(order, paymentId)) return { dispute }
  const others = order.otherDisputes?.filter((one) => one.paymentId !== paymentId) ?? []
  return { otherDisputes: [...others, dispute] }
}

/** Makes the dispute of the payment that now pays the order the dispute of the order. */
function withOwnDispute(order: Order, paymentId: string): Order {
  const dispute = disputeOf(order, paymentId)
  if (dispute === undefined) return order
  const { otherDisputes = [], ...rest } = order
  const others = otherDisputes.filter((one) => one !== dispute)
  return { ...rest, dispute, ...(others.length > 0 && { otherDisputes: others }) }
}

/** Marks the refund as returned by the bank, even if it was done, or if its success or payment is reported later. */
function failRefund(
  order: Order,
  { kind, paymentId, currency }: Extract<LifeEvent, { kind: 'refund-failed' }>,
  now: number,
): LifeStep {
  const known = refundOf(order, paymentId) ?? { paymentId, amount: 0, currency, returned: 0 }
  return moved(order, now, kind, order.status, withRefund(order, { ...known, failedAt: now }))
}

/** Ends the refunds that the bank returned, because a person has paid the shopper in another way. */
function settleRefunds(order: Order, now: number): LifeStep {
  const kind = 'refund-settled'
  const failed = failedRefunds(order)
  if (failed.length === 0) return order.history.some(({ what }) => what === kind) ? same : { kind: 'refused' }
  const settled = failed.map(({ failedAt: _, ...one }) => ({ ...one, returned: refundTotal(one) }))
  const refunds = settled.reduce<Pick<Order, 'refunds'>>(withRefund, order)
  const isBack = order.status === 'refund-due' && failed.some(({ paymentId }) => isPaidBy(order, paymentId))
  return moved(order, now, kind, isBack ? 'refunded' : order.status, refunds)
}

/** Ends an order whose whole amount went back, unless it was shipped. The provider may refund by itself. */
function refunded(order: Order, changes: Partial<Order>, now: number): Moved {
  const kind = 'refund-succeeded'
  const reason = order.status === 'paid' ? { reason: 'by-provider' as const } : {}
  return moved(order, now, kind, transitions[kind][order.status] ?? 'refunded', { ...reason, ...changes })
}

function isPaidBy({ payment }: Order, paymentId: string): boolean {
  return payment?.paymentId === paymentId && payment.state === 'succeeded'
}

/**
 * Marks the attempt as failed, and cancels an order whose time to pay only this attempt extended. Ignores the report for an
 * accepted authorisation, because its capture or release follows and is authoritative.
 */
function failPayment(
  order: Order,
  { paymentId, isReleased }: { paymentId: string; isReleased?: true },
  now: number,
): LifeStep {
  if (isAuthorised(order) && !isReleased) return same
  const changes = failedAttempt(order, paymentId)
  if (changes === undefined) return same
  const failed = applyTransition(order, 'payment-failed', now, changes)
  if (failed.kind !== 'moved' || now < failed.order.cancelAt) return failed
  return applyTransition(failed.order, 'payment-window-over', now)
}

/** Marks the attempt as failed if it is under way. Another may follow, and the grace period ends. */
function failedAttempt({ payment, payBy }: Order, paymentId: string): Pick<Order, 'payment' | 'cancelAt'> | undefined {
  if (payment?.paymentId !== paymentId || !isUnderWay(payment)) return undefined
  return { payment: { ...payment, state: 'failed' }, cancelAt: payBy }
}

/** Confirms that the shop has the money. One order of the shop confirms one order, so a reservation in two carts is sold once. */
function confirmByShop(
  order: Order,
  { kind, reference }: Extract<LifeEvent, { kind: 'confirmed-by-shop' }>,
  now: number,
): LifeStep {
  const { payment } = order
  if (payment === undefined || !isPaidInShop(order)) return { kind: 'refused' }
  if (isPaid(order)) return payment.reference === reference ? same : { kind: 'refused' }
  if (!isAllowed(order, kind)) return { kind: 'refused' }
  return applyTransition(order, kind, now, { payment: { ...payment, state: 'succeeded', reference } })
}

/** Releases the units that the shop does not need, or for which it has refunded the money itself. */
function releaseByShop(order: Order, now: number): LifeStep {
  const kind = 'released-by-shop'
  const { payment, amount, currency, status } = order
  if (payment === undefined || !isPaidInShop(order)) return { kind: 'refused' }
  if (status === 'cancelled' || status === 'refunded') return same
  if (!isAllowed(order, kind)) return { kind: 'refused' }
  if (!isPaid(order)) return applyTransition(order, kind, now, { payment: { ...payment, state: 'failed' } })
  const { paymentId } = payment
  return applyTransition(order, kind, now, withRefund(order, { paymentId, amount, currency, returned: amount }))
}

/** Cancels or refunds the order. A shipped order keeps its status, because its units are gone, and is refunded once. */
function refundByMarketer(order: Order, now: number): LifeStep {
  const kind = 'refunded-by-marketer'
  if (order.reason === 'by-marketer' || order.reason === 'by-provider') return same
  const isBlocked = isBeingCaptured(order, now) || isContested(order) || redeemedCount(order) > 0
  if (!isAllowed(order, kind) || isBlocked) return { kind: 'refused' }
  // Only the shop that took the money can refund it.
  if (isPaidInShop(order) && isPaid(order)) return { kind: 'refused' }
  const { payment, amount, currency } = order
  if (!isPaid(order) || payment === undefined) {
    return isShipped(order) ? { kind: 'refused' } : applyTransition(order, kind, now)
  }
  const { paymentId } = payment
  const left = refundable(order, paymentId)
  if (left === 0) return same
  const before = refundOf(order, paymentId)
  const changes = withRefund(order, { ...before, paymentId, amount, currency, returned: amount - left })
  const owed = { paymentId, amount: left, currency, ...referenceOf(order, paymentId, undefined) }
  return isShipped(order)
    ? moved(order, now, kind, order.status, changes, owed)
    : applyTransition(order, kind, now, changes, owed)
}

/**
 * Records the shipment or corrects it. Repeating it is a no-op. Refused for coupons, for goods whose payment is disputed,
 * and for a delivered order.
 */
function ship(order: Order, { kind, ...shipment }: { kind: 'shipped' } & Shipment, now: number): LifeStep {
  if (order.shipment !== undefined && isSameShipment(order.shipment, shipment)) return same
  const isWithheld = isContested(order) && !isShipped(order)
  if (order.coupons !== undefined || isWithheld || !isAllowed(order, kind)) return { kind: 'refused' }
  return applyTransition(order, kind, now, { shipment })
}

function isAllowed({ status }: Order, kind: LifeEventKind): boolean {
  return transitions[kind][status] !== undefined
}

function applyTransition(
  order: Order,
  kind: LifeEventKind,
  now: number,
  changes: Partial<Order> = {},
  refund?: PaymentMoney,
): LifeStep {
  const status = transitions[kind][order.status]
  if (status === undefined) return same
  const reason = reasons[kind]
  return moved(order, now, kind, status, { ...(reason && { reason }), ...changes }, refund)
}

function moved(
  order: Order,
  at: number,
  what: HistoryWord,
  to: OrderStatus,
  changes: Partial<Order>,
  refund?: PaymentMoney,
): Moved {
  const history = [...order.history, historyEntry(at, what, to)]
  const next = { ...order, ...changes, status: to, history }
  return refund === undefined ? { kind: 'moved', order: next } : { kind: 'moved', order: next, refund }
}
