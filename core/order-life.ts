/**
 * The life of a written order: the ONE table of what may follow what (O8, O9), and the pure step from one state to
 * the next. Whoever writes the step makes DynamoDB check that the order is still the one that was read, so of two
 * steps that meet only one counts and the other is decided anew.
 */
import type { CancelReason, HistoryEntry, Order, OrderStatus, Payment } from './order.ts'

/**
 * `payment-succeeded` may come at any time, whatever we think of the order: money does not ask. `amount` and
 * `currency` are what arrived, `graceMs` how long beyond `payBy` a payment on its way keeps the units.
 */
export type LifeEvent =
  | { kind: 'payment-started'; graceMs: number }
  | { kind: 'payment-succeeded'; paymentId: string; amount: number; currency: string }
  | { kind: 'payment-failed'; paymentId: string }
  | { kind: 'payment-window-over' }
  | { kind: 'cancelled-by-shopper' }
  | { kind: 'refunded-by-marketer' }
  | { kind: 'refund-succeeded'; paymentId: string }

type LifeEventKind = LifeEvent['kind']

/** Every word that is written into a history. */
export type HistoryWord = LifeEventKind | 'reserved' | 'written' | 'rejected' | 'other-money-received'

/** The one way to write a step into a history; `at` is epoch ms. */
export function historyEntry(at: number, what: HistoryWord, status: OrderStatus): HistoryEntry {
  return { at, what, status }
}

/** From each status, what an event leads to. An event that is not here does nothing to an order in that status. */
export const transitions: Readonly<
  Record<LifeEventKind, Readonly<Partial<Record<OrderStatus, OrderStatus>>>>
> = {
  'payment-started': { 'awaiting-payment': 'awaiting-payment' },
  'payment-failed': { 'awaiting-payment': 'awaiting-payment' },
  'payment-succeeded': { 'awaiting-payment': 'paid', cancelled: 'refund-due', rejected: 'refund-due' },
  'payment-window-over': { 'awaiting-payment': 'cancelled' },
  'cancelled-by-shopper': { 'awaiting-payment': 'cancelled' },
  'refunded-by-marketer': { 'awaiting-payment': 'cancelled', fulfilled: 'cancelled', paid: 'refund-due' },
  'refund-succeeded': { 'refund-due': 'refunded' },
}

/** Money to be sent back: all that came with one payment. */
export type RefundWish = { paymentId: string; amount: number; currency: string }

/**
 * `moved`: `order` is to be written in the place of the old one, and `refund` asked for with it. `same`: the event
 * was here already, or means nothing to an order in this status; `before` is what the same payment brought when it was
 * counted, should that have been another amount. `not-yet`: the timer came too early; `at` is when to
 * come again. `too-late`: the time to pay is over. `refused`: the table does not allow it.
 */
export type Step =
  | { kind: 'moved'; order: Order; refund?: RefundWish }
  | { kind: 'same'; before?: RefundWish }
  | { kind: 'not-yet'; at: number }
  | { kind: 'too-late' | 'refused' }

const same: Step = { kind: 'same' }

const reasons: Partial<Record<LifeEventKind, CancelReason>> = {
  'payment-window-over': 'unpaid',
  'cancelled-by-shopper': 'by-shopper',
  'refunded-by-marketer': 'by-marketer',
}

/** What `event` does to `order` at `now` (epoch ms). */
export function advance(order: Order, event: LifeEvent, now: number): Step {
  switch (event.kind) {
    case 'payment-started':
      return startPayment(order, event.graceMs, now)
    case 'payment-succeeded':
      return receiveMoney(order, event, now)
    case 'payment-failed':
      return failPayment(order, event.paymentId, now)
    case 'refund-succeeded':
      return order.payment?.paymentId === event.paymentId ? follow(order, event.kind, now) : same
    case 'payment-window-over':
      if (order.status === 'awaiting-payment' && now < order.cancelAt) {
        return { kind: 'not-yet', at: order.cancelAt }
      }
      return follow(order, event.kind, now)
    case 'cancelled-by-shopper':
      if (order.status === 'cancelled') return same
      return allowed(order, event.kind) ? follow(order, event.kind, now) : { kind: 'refused' }
    case 'refunded-by-marketer':
      return refundByMarketer(order, now)
  }
}

/** The id of an order's `attempt`-th payment: the same for every repeat, so a provider makes one payment of it. */
export function paymentIdOf({ orderId }: Pick<Order, 'orderId'>, attempt: number): string {
  return `${orderId}.${attempt}`
}

function startPayment(order: Order, graceMs: number, now: number): Step {
  if (!allowed(order, 'payment-started')) return { kind: 'refused' }
  if (order.payment?.state === 'started') return same
  if (now >= order.payBy) return { kind: 'too-late' }
  const attempt = (order.payment?.attempt ?? 0) + 1
  const payment: Payment = {
    paymentId: paymentIdOf(order, attempt),
    attempt,
    startedAt: now,
    state: 'started',
  }
  return follow(order, 'payment-started', now, { payment, cancelAt: order.payBy + graceMs })
}

/** Money of an attempt that is not the order's last one is as good as that of the last. */
function receiveMoney(
  order: Order,
  { kind, paymentId, amount, currency }: Extract<LifeEvent, { kind: 'payment-succeeded' }>,
  now: number,
): Step {
  const refunds = order.refunds ?? []
  const money = { paymentId, amount, currency }
  const isCounted = order.payment?.paymentId === paymentId && order.payment.state === 'succeeded'
  const isRight = amount === order.amount && currency === order.currency
  if (isCounted && !isRight) {
    return { kind: 'same', before: { paymentId, amount: order.amount, currency: order.currency } }
  }
  if (isCounted || refunds.includes(paymentId)) return same
  if (!isRight || !allowed(order, kind)) {
    // The order has its money, or this is not it: it goes back, and the order stays as it is.
    const changes = { ...failedAttempt(order, paymentId), refunds: [...refunds, paymentId] }
    return moved(order, now, 'other-money-received', order.status, changes, money)
  }
  const { attempt, startedAt } = order.payment ?? { attempt: 1, startedAt: now }
  const payment: Payment = { paymentId, attempt, startedAt, state: 'succeeded' }
  const isLate = transitions[kind][order.status] === 'refund-due'
  return isLate
    ? follow(order, kind, now, { payment, refunds: [...refunds, paymentId] }, money)
    : follow(order, kind, now, { payment })
}

function failPayment(order: Order, paymentId: string, now: number): Step {
  const changes = failedAttempt(order, paymentId)
  return changes === undefined ? same : follow(order, 'payment-failed', now, changes)
}

/** The attempt as failed, if it is the one under way: another may follow, and this one needs no grace any more. */
function failedAttempt(
  { payment, payBy }: Order,
  paymentId: string,
): Pick<Order, 'payment' | 'cancelAt'> | undefined {
  if (payment?.paymentId !== paymentId || payment.state !== 'started') return undefined
  return { payment: { ...payment, state: 'failed' }, cancelAt: payBy }
}

function refundByMarketer(order: Order, now: number): Step {
  const kind = 'refunded-by-marketer'
  if (order.reason === 'by-marketer') return same
  if (!allowed(order, kind)) return { kind: 'refused' }
  const { payment, amount, currency } = order
  if (order.status !== 'paid' || payment === undefined) return follow(order, kind, now)
  const { paymentId } = payment
  const refunds = [...(order.refunds ?? []), paymentId]
  return follow(order, kind, now, { refunds }, { paymentId, amount, currency })
}

function allowed({ status }: Order, kind: LifeEventKind): boolean {
  return transitions[kind][status] !== undefined
}

function follow(
  order: Order,
  kind: LifeEventKind,
  now: number,
  changes: Partial<Order> = {},
  refund?: RefundWish,
): Step {
  const status = transitions[kind][order.status]
  if (status === undefined) return same
  const reason = reasons[kind]
  return moved(order, now, kind, status, { ...(reason && { reason }), ...changes }, refund)
}

function moved(
  order: Order,
  at: number,
  what: HistoryWord,
  status: OrderStatus,
  changes: Partial<Order>,
  refund?: RefundWish,
): Step {
  const history = [...order.history, historyEntry(at, what, status)]
  const next = { ...order, ...changes, status, history }
  return refund === undefined ? { kind: 'moved', order: next } : { kind: 'moved', order: next, refund }
}
