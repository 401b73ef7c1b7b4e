/**
 * The life of an order as one table that a person can read: what each event does to an order in each situation. The model
 * beside it goes through the schedules in which events can meet; this page says what each of them does when it comes alone.
 */
import { describe, expect, it } from 'vitest'
import { parseIdempotencyKey } from '../../../core/ids.ts'
import { holdsUnits, type Order, type OrderStatus } from '../../../core/orders/order.ts'
import {
  advance,
  type LifeEvent,
  type LifeStep,
  paymentIdOf,
  settlementOf,
  transitions,
} from '../../../core/orders/order-life.ts'
import { refundProgress } from '../../../core/orders/order-refunds.ts'
import { newOrder, rejected } from '../../../functions/orders/new-order.ts'
import { codeOf, noCoupons } from '../../../proof/simulation/parts/coupons.ts'
import { aSale, orderIdOf, shopperIdOf } from '../../redis/support.ts'

// Two units at 2.50. The time to pay ends at 106 s, and with a payment under way at 126 s.
const sale = aSale({ price: 250, paymentWindowSeconds: 100 })
const graceMs = 20_000
const [nowMs, timeOverMs, graceOverMs] = [50_000, 106_000, 126_000]
const reservation = {
  orderId: orderIdOf(sale.saleId, 1, 1),
  saleId: sale.saleId,
  shopperId: shopperIdOf(1),
  quantity: 2,
  reservedAt: 5_000,
}
const written = newOrder(reservation, sale, 6_000, noCoupons)
const free = newOrder(reservation, { ...sale, price: 0 }, 6_000, noCoupons)
const coupons = { ...free, coupons: [codeOf(1), codeOf(2)] }

function keyOf(text: string) {
  const key = parseIdempotencyKey(text.repeat(16))
  if (key === undefined) throw new Error(`${text} makes no idempotency key`)
  return key
}

const [first, second] = [paymentIdOf(written, 1), paymentIdOf(written, 2)]
const money = (kind: 'payment-authorised' | 'payment-succeeded' | 'refund-succeeded' | 'dispute-lost') => {
  return (paymentId: string, amount: number, currency = 'CNY') => ({ kind, paymentId, amount, currency }) as LifeEvent
}
const authorised = money('payment-authorised')
const paid = money('payment-succeeded')
const back = money('refund-succeeded')
const lost = money('dispute-lost')
const atShopA = { code: codeOf(1), shop: 'shop A', key: keyOf('a') }

/** Every event, by its name in the table. Those called second are of the second attempt to pay, all others of the first. */
const events = {
  'turn to pay': { kind: 'payment-queued', opensAt: nowMs + 5_000 },
  'start paying': { kind: 'payment-started', graceMs },
  'start paying in shop': { kind: 'payment-started', graceMs, inShop: true },
  authorised: authorised(first, 500),
  'wrong authorised': authorised(first, 499),
  payment: paid(first, 500),
  'wrong amount': paid(first, 499),
  'wrong currency': paid(first, 500, 'EUR'),
  'payment of 0': paid(first, 0),
  'second payment': paid(second, 500),
  'second wrong amount': paid(second, 499),
  'payment fails': { kind: 'payment-failed', paymentId: first },
  'second payment fails': { kind: 'payment-failed', paymentId: second },
  'time-out': { kind: 'payment-window-over' },
  cancel: { kind: 'cancelled-by-shopper' },
  refund: { kind: 'refunded-by-marketer' },
  'refund done': back(first, 500),
  'part of refund done': back(first, 200),
  'too much refunded': back(first, 501),
  'wrong currency refunded': back(first, 500, 'EUR'),
  'second payment refunded': back(second, 500),
  'refund fails': { kind: 'refund-failed', paymentId: first },
  'refund settled': { kind: 'refund-settled' },
  dispute: { kind: 'payment-disputed', paymentId: first },
  'second dispute': { kind: 'payment-disputed', paymentId: second },
  'second dispute lost': lost(second, 500),
  'dispute won': { kind: 'dispute-won', paymentId: first },
  'dispute lost': lost(first, 500),
  'dispute lost in part': lost(first, 200),
  'shop confirms': { kind: 'confirmed-by-shop', reference: 'S-1' },
  'other order of shop confirms': { kind: 'confirmed-by-shop', reference: 'S-2' },
  'shop releases': { kind: 'released-by-shop' },
  ship: { kind: 'shipped', carrier: 'DHL', tracking: '1' },
  'ship otherwise': { kind: 'shipped', carrier: 'UPS' },
  deliver: { kind: 'delivered' },
  redeem: { kind: 'coupon-redeemed', ...atShopA },
  'redeem elsewhere': { kind: 'coupon-redeemed', ...atShopA, shop: 'shop B' },
  'redeem other': { kind: 'coupon-redeemed', ...atShopA, code: codeOf(2) },
  'undo redeeming': { kind: 'redemption-undone', ...atShopA, undoMs: 60_000 },
} as const satisfies Record<string, LifeEvent>

type EventName = keyof typeof events

/** The order before any event, the events that led to the situation, and the time of the next one. */
type Situation = [order: Order, lived: EventName[], nowMs?: number]

/** The situations of an order, by its status. */
const situations: Record<OrderStatus, Record<string, Situation>> = {
  reserved: { reserved: [{ ...written, status: 'reserved', history: written.history.slice(0, 1) }, []] },
  rejected: { rejected: [rejected(written, 'over-cap'), []] },
  'awaiting-payment': {
    unpaid: [written, []],
    'time over': [written, [], timeOverMs],
    'waits for its turn': [written, ['turn to pay']],
    'being paid': [written, ['start paying']],
    'grace over': [written, ['start paying'], graceOverMs],
    'being paid in shop': [written, ['start paying in shop']],
    'payment failed': [written, ['start paying', 'payment fails']],
    'being captured': [written, ['start paying', 'authorised']],
    'capture over': [written, ['start paying', 'authorised'], nowMs + 400_000],
    'refunded first': [written, ['start paying', 'refund done']],
    'part refunded first': [written, ['start paying', 'part of refund done']],
  },
  paid: {
    paid: [written, ['start paying', 'payment']],
    'paid in shop': [written, ['start paying in shop', 'shop confirms']],
    'paid twice': [written, ['payment', 'second payment']],
    'paid, part refunded': [written, ['payment', 'part of refund done']],
    'paid, disputed': [written, ['payment', 'dispute']],
    'paid, dispute won': [written, ['payment', 'dispute', 'dispute won']],
    'paid, part lost': [written, ['payment', 'dispute', 'dispute lost in part']],
  },
  fulfilled: {
    'free goods': [free, []],
    coupons: [coupons, []],
    redeemed: [coupons, ['redeem']],
    'redeemed and undone': [coupons, ['redeem', 'undo redeeming']],
  },
  cancelled: {
    'not paid in time': [written, ['time-out']],
    'cancelled by shopper': [written, ['cancel']],
    'cancelled by marketer': [written, ['refund']],
    'coupons cancelled': [coupons, ['refund']],
    'released by shop': [written, ['start paying in shop', 'shop releases']],
  },
  'refund-due': {
    'refund due': [written, ['payment', 'refund']],
    'refund due, part back': [written, ['payment', 'refund', 'part of refund done']],
    'refund due, failed': [written, ['payment', 'refund', 'refund fails']],
    'refund due, disputed': [written, ['payment', 'refund', 'dispute']],
    'paid too late': [written, ['cancel', 'payment']],
  },
  refunded: {
    refunded: [written, ['payment', 'refund', 'refund done']],
    'refunded, then failed': [written, ['payment', 'refund', 'refund done', 'refund fails']],
    'refunded, settled': [written, ['payment', 'refund', 'refund fails', 'refund settled']],
    'refunded by provider': [written, ['payment', 'refund done']],
    'refunded by shop': [written, ['start paying in shop', 'shop confirms', 'shop releases']],
    'refunded, dispute lost': [written, ['payment', 'dispute', 'dispute lost']],
  },
  shipped: {
    shipped: [written, ['payment', 'ship']],
    'shipped, free': [free, ['ship']],
    'shipped, paid in shop': [written, ['start paying in shop', 'shop confirms', 'ship']],
    'shipped, disputed': [written, ['payment', 'ship', 'dispute']],
    'shipped, dispute lost': [written, ['payment', 'ship', 'dispute', 'dispute lost']],
    'shipped, refund due': [written, ['payment', 'ship', 'refund']],
    'shipped, refund failed': [written, ['payment', 'ship', 'refund', 'refund fails']],
    'shipped, refunded': [written, ['payment', 'ship', 'refund', 'refund done']],
  },
  delivered: {
    delivered: [written, ['payment', 'ship', 'deliver']],
    'delivered, free': [free, ['ship', 'deliver']],
    'delivered, disputed': [written, ['payment', 'ship', 'deliver', 'dispute']],
    'delivered, refund due': [written, ['payment', 'ship', 'deliver', 'refund']],
    'delivered, refunded': [written, ['payment', 'ship', 'deliver', 'refund', 'refund done']],
  },
}

/**
 * The table. Below an event stand its outcomes, and below each outcome the situations that have it. "every" means all situations of
 * a status, and "other" those that the event does not name otherwise. An order that an event changes has three columns:
 * - its new status, and whether its units go back to stock; `stays` keeps both,
 * - its money: what the shop `keeps` of the order's payment, what the step `sends` back by asking the provider, what it `owes`
 *   besides (the step `stops` that request or lets it go on), and what the shopper `had back` in all. `capture`, `release`, `wait` and
 *   `none` say what becomes of the authorised money. An `alarm` reports money that cannot be counted,
 * - the words added to its history.
 */
const table = `
turn to pay
  stays | no money | payment-queued
      unpaid; payment failed
  refused
      reserved; rejected; every paid; every fulfilled; every cancelled; every refund-due; every refunded;
      every shipped; every delivered
  too-late
      time over
  unchanged
      other awaiting-payment
start paying; start paying in shop
  stays | no money | payment-started
      unpaid; waits for its turn; payment failed
  refused
      reserved; rejected; every paid; every fulfilled; every cancelled; every refund-due; every refunded;
      every shipped; every delivered
  too-late
      time over
  unchanged
      other awaiting-payment
authorised
  stays | capture | payment-authorised
      other awaiting-payment
  stays | had back 500, capture | payment-authorised
      refunded first
  stays | had back 200, capture | payment-authorised
      part refunded first
  unchanged, release
      reserved; rejected; every fulfilled; every cancelled; shipped, free; delivered, free
  unchanged, capture
      being captured
  unchanged, wait
      capture over
  unchanged, none
      every paid; every refund-due; every refunded; other shipped; other delivered
wrong authorised
  unchanged, release
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  unchanged, capture
      being captured
  unchanged, wait
      capture over
  unchanged, none
      every paid; every refund-due; every refunded; other shipped; other delivered
payment
  refund-due | sends 500 | payment-succeeded
      rejected; other cancelled
  paid | keeps 500 | payment-succeeded
      other awaiting-payment
  refunded, units back | had back 500 | payment-succeeded + refund-succeeded
      refunded first
  paid | keeps 300, had back 200 | payment-succeeded
      part refunded first
  stays | sends 500 | other-money-received
      reserved; every fulfilled; coupons cancelled; shipped, free; delivered, free
  unchanged
      every paid; every refund-due; every refunded; other shipped; other delivered
wrong amount
  stays | sends 499 | other-money-received
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | sends 499, alarm | other-money-received
      refunded first
  stays | sends 299, had back 200 | other-money-received
      part refunded first
  unchanged, alarm
      every paid; every refund-due; every refunded; other shipped; other delivered
wrong currency
  stays | sends 500 | other-money-received
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | sends 500, alarm | other-money-received
      refunded first; part refunded first
  unchanged, alarm
      every paid; every refund-due; every refunded; other shipped; other delivered
payment of 0
  stays | no money | payment-failed
      other awaiting-payment
  stays | had back 500 | payment-failed
      refunded first
  stays | had back 200 | payment-failed
      part refunded first
  unchanged
      reserved; rejected; unpaid; time over; waits for its turn; payment failed; every fulfilled; every cancelled;
      shipped, free; delivered, free
  unchanged, alarm
      every paid; every refund-due; every refunded; other shipped; other delivered
second payment
  refund-due | sends 500 | payment-succeeded
      rejected; other cancelled
  paid | keeps 500 | payment-succeeded
      other awaiting-payment
  paid | keeps 500, had back 500 | payment-succeeded
      refunded first
  paid | keeps 500, had back 200 | payment-succeeded
      part refunded first
  stays | sends 500 | other-money-received
      reserved; every fulfilled; coupons cancelled; shipped, free; delivered, free
  stays | keeps 500, sends 500 | other-money-received
      other paid; other shipped; other delivered
  stays | keeps 300, sends 500, had back 200 | other-money-received
      paid, part refunded; paid, part lost
  stays | sends 500, owes 500 | other-money-received
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  stays | sends 500, owes 300, had back 200 | other-money-received
      refund due, part back
  stays | sends 500, had back 500 | other-money-received
      every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  unchanged
      paid twice
second wrong amount
  stays | sends 499 | other-money-received
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | sends 499, had back 500 | other-money-received
      refunded first; every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  stays | sends 499, had back 200 | other-money-received
      part refunded first
  stays | keeps 500, sends 499 | other-money-received
      other paid; other shipped; other delivered
  stays | keeps 300, sends 499, had back 200 | other-money-received
      paid, part refunded; paid, part lost
  stays | sends 499, owes 500 | other-money-received
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  stays | sends 499, owes 300, had back 200 | other-money-received
      refund due, part back
  unchanged, alarm
      paid twice
payment fails
  stays | no money | payment-failed
      other awaiting-payment
  stays | had back 500 | payment-failed
      refunded first
  stays | had back 200 | payment-failed
      part refunded first
  unchanged
      reserved; rejected; unpaid; time over; waits for its turn; payment failed; every paid; every fulfilled;
      every cancelled; every refund-due; every refunded; every shipped; every delivered
second payment fails
  unchanged
      reserved; rejected; every awaiting-payment; every paid; every fulfilled; every cancelled; every refund-due;
      every refunded; every shipped; every delivered
time-out
  cancelled, units back | no money | payment-window-over
      time over; grace over; capture over
  unchanged
      reserved; rejected; every paid; every fulfilled; every cancelled; every refund-due; every refunded;
      every shipped; every delivered
  not-yet
      other awaiting-payment
cancel
  cancelled, units back | no money | cancelled-by-shopper
      other awaiting-payment
  cancelled, units back | had back 500 | cancelled-by-shopper
      refunded first
  cancelled, units back | had back 200 | cancelled-by-shopper
      part refunded first
  refused
      reserved; rejected; being captured; every paid; every fulfilled; every refund-due; every refunded;
      every shipped; every delivered
  unchanged
      every cancelled
refund
  cancelled, units back | no money | refunded-by-marketer
      other awaiting-payment; other fulfilled
  cancelled, units back | had back 500 | refunded-by-marketer
      refunded first
  cancelled, units back | had back 200 | refunded-by-marketer
      part refunded first
  refund-due, units back | sends 500 | refunded-by-marketer
      paid; paid, dispute won
  refund-due, units back | sends 500, owes 500 | refunded-by-marketer
      paid twice
  refund-due, units back | sends 300, had back 200 | refunded-by-marketer
      paid, part refunded
  stays | sends 500 | refunded-by-marketer
      shipped; delivered
  refused
      reserved; rejected; being captured; other paid; redeemed; other cancelled; paid too late; refunded by shop;
      other shipped; other delivered
  unchanged
      cancelled by marketer; coupons cancelled; other refund-due; other refunded; shipped, refund due;
      shipped, refund failed; shipped, refunded; delivered, refund due; delivered, refunded
refund done
  refunded, units back | had back 500 | refund-succeeded
      other paid
  refunded, units back | owes 500, had back 500 | refund-succeeded
      paid twice
  refunded | had back 500 | refund-succeeded
      other refund-due
  stays | had back 500 | money-returned
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 1000 | money-returned
      refunded first
  stays | had back 700 | money-returned
      part refunded first
  stays | had back 500 | refund-succeeded
      other shipped; other delivered
  unchanged, alarm
      paid, part refunded; paid, part lost; refund due, part back; every refunded; shipped, dispute lost;
      shipped, refunded; delivered, refunded
part of refund done
  stays | had back 200 | money-returned
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 700 | money-returned
      refunded first
  stays | had back 400 | money-returned
      part refunded first
  stays | keeps 300, had back 200 | money-returned
      other paid; other shipped; other delivered
  stays | keeps 300, owes 500, had back 200 | money-returned
      paid twice
  stays | keeps 100, had back 400 | money-returned
      paid, part refunded; paid, part lost
  stays | owes 300 and goes on, had back 200 | money-returned
      other refund-due; shipped, refund due; delivered, refund due
  stays | owes 100 and goes on, had back 400 | money-returned
      refund due, part back
  stays | owes 300 and stops, had back 200 | money-returned
      refund due, failed; refund due, disputed; shipped, refund failed
  unchanged, alarm
      every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
too much refunded
  stays | had back 501 | money-returned
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 1001 | money-returned
      refunded first
  stays | had back 701 | money-returned
      part refunded first
  unchanged, alarm
      every paid; every refund-due; every refunded; other shipped; other delivered
wrong currency refunded
  stays | had back 500 | money-returned
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  unchanged, alarm
      refunded first; part refunded first; every paid; every refund-due; every refunded; other shipped;
      other delivered
second payment refunded
  stays | had back 500 | money-returned
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 1000 | money-returned
      refunded first; every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  stays | had back 700 | money-returned
      part refunded first
  stays | keeps 500, had back 500 | money-returned
      other paid; other shipped; other delivered
  stays | keeps 300, had back 700 | money-returned
      paid, part refunded; paid, part lost
  stays | owes 500, had back 500 | money-returned
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  stays | owes 300, had back 700 | money-returned
      refund due, part back
refund fails
  stays | no money | refund-failed
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 500 | refund-failed
      refunded first; every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  stays | had back 200 | refund-failed
      part refunded first
  stays | keeps 500 | refund-failed
      other paid; other shipped; other delivered
  stays | keeps 500, owes 500 | refund-failed
      paid twice
  stays | keeps 300, had back 200 | refund-failed
      paid, part refunded; paid, part lost
  stays | owes 500 and stops | refund-failed
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  stays | owes 300 and stops, had back 200 | refund-failed
      refund due, part back
refund settled
  refunded | had back 500 | refund-settled
      refund due, failed
  stays | had back 500 | refund-settled
      refunded, then failed; shipped, refund failed
  refused
      reserved; rejected; every awaiting-payment; every paid; every fulfilled; every cancelled; other refund-due;
      other refunded; other shipped; every delivered
  unchanged
      refunded, settled
dispute
  stays | no money | payment-disputed
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 500 | payment-disputed
      refunded first; other refunded; shipped, refunded; delivered, refunded
  stays | had back 200 | payment-disputed
      part refunded first
  stays | keeps 500 | payment-disputed
      paid; paid in shop; other shipped; delivered
  stays | keeps 500, owes 500 | payment-disputed
      paid twice
  stays | keeps 300, had back 200 | payment-disputed
      paid, part refunded
  stays | owes 500 and stops | payment-disputed
      other refund-due; shipped, refund due; delivered, refund due
  stays | owes 300 and stops, had back 200 | payment-disputed
      refund due, part back
  stays | owes 500 | payment-disputed
      refund due, failed; shipped, refund failed
  unchanged
      other paid; refund due, disputed; refunded, dispute lost; shipped, disputed; shipped, dispute lost;
      delivered, disputed
second dispute
  stays | no money | payment-disputed
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 500 | payment-disputed
      refunded first; every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  stays | had back 200 | payment-disputed
      part refunded first
  stays | keeps 500 | payment-disputed
      other paid; other shipped; other delivered
  stays | keeps 500, owes 500 | payment-disputed
      paid twice
  stays | keeps 300, had back 200 | payment-disputed
      paid, part refunded; paid, part lost
  stays | owes 500 | payment-disputed
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  stays | owes 300, had back 200 | payment-disputed
      refund due, part back
second dispute lost
  stays | no money | dispute-lost
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 500 | dispute-lost
      refunded first; every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  stays | had back 200 | dispute-lost
      part refunded first
  stays | keeps 500 | dispute-lost
      other paid; other shipped; other delivered
  stays | keeps 500, owes 500 | dispute-lost
      paid twice
  stays | keeps 300, had back 200 | dispute-lost
      paid, part refunded; paid, part lost
  stays | owes 500 | dispute-lost
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  stays | owes 300, had back 200 | dispute-lost
      refund due, part back
dispute won
  stays | no money | dispute-won
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 500 | dispute-won
      refunded first; every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  stays | had back 200 | dispute-won
      part refunded first
  stays | keeps 500 | dispute-won
      other paid; other shipped; other delivered
  stays | keeps 500, owes 500 | dispute-won
      paid twice
  stays | keeps 300, had back 200 | dispute-won
      paid, part refunded; paid, part lost
  stays | owes 500 | dispute-won
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  stays | owes 300, had back 200 | dispute-won
      refund due, part back
  stays | owes 500 and goes on | dispute-won
      refund due, disputed
dispute lost
  refunded, units back | had back 500 | dispute-lost + refund-succeeded
      other paid
  refunded, units back | owes 500, had back 500 | dispute-lost + refund-succeeded
      paid twice
  refunded | had back 500 | dispute-lost + refund-succeeded
      other refund-due
  stays | no money | dispute-lost
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 500 | dispute-lost
      refunded first
  stays | had back 200 | dispute-lost
      part refunded first
  stays | keeps 300, had back 200, alarm | dispute-lost
      paid, part refunded; paid, part lost
  stays | owes 300 and stops, had back 200, alarm | dispute-lost
      refund due, part back
  stays | had back 500, alarm | dispute-lost
      every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  stays | had back 500 | dispute-lost + refund-succeeded
      other shipped; other delivered
dispute lost in part
  stays | no money | dispute-lost
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 500 | dispute-lost
      refunded first
  stays | had back 200 | dispute-lost
      part refunded first
  stays | keeps 300, had back 200 | dispute-lost + money-returned
      other paid; other shipped; other delivered
  stays | keeps 300, owes 500, had back 200 | dispute-lost + money-returned
      paid twice
  stays | keeps 100, had back 400 | dispute-lost + money-returned
      paid, part refunded; paid, part lost
  stays | owes 300 and stops, had back 200 | dispute-lost + money-returned
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  stays | owes 100 and stops, had back 400 | dispute-lost + money-returned
      refund due, part back
  stays | had back 500, alarm | dispute-lost
      every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
shop confirms
  paid | keeps 500 | confirmed-by-shop
      being paid in shop
  refused
      reserved; rejected; other awaiting-payment; other paid; every fulfilled; every cancelled; every refund-due;
      every refunded; other shipped; every delivered
  unchanged
      paid in shop; shipped, paid in shop
other order of shop confirms
  paid | keeps 500 | confirmed-by-shop
      being paid in shop
  refused
      reserved; rejected; other awaiting-payment; every paid; every fulfilled; every cancelled; every refund-due;
      every refunded; every shipped; every delivered
shop releases
  cancelled, units back | no money | released-by-shop
      being paid in shop
  refunded, units back | had back 500 | released-by-shop
      paid in shop
  refused
      reserved; rejected; other awaiting-payment; other paid; every fulfilled; other cancelled; every refund-due;
      other refunded; every shipped; every delivered
  unchanged
      released by shop; refunded by shop
ship
  shipped | keeps 500 | shipped
      other paid
  shipped | keeps 500, owes 500 | shipped
      paid twice
  shipped | keeps 300, had back 200 | shipped
      paid, part refunded
  shipped | no money | shipped
      free goods
  refused
      reserved; rejected; every awaiting-payment; paid, disputed; paid, part lost; other fulfilled; every cancelled;
      every refund-due; every refunded
  unchanged
      every shipped; every delivered
ship otherwise
  shipped | keeps 500 | shipped
      other paid
  shipped | keeps 500, owes 500 | shipped
      paid twice
  shipped | keeps 300, had back 200 | shipped
      paid, part refunded
  shipped | no money | shipped
      free goods
  stays | keeps 500 | shipped
      other shipped
  stays | no money | shipped
      shipped, free
  stays | had back 500 | shipped
      shipped, dispute lost; shipped, refunded
  stays | owes 500 | shipped
      shipped, refund due; shipped, refund failed
  refused
      reserved; rejected; every awaiting-payment; paid, disputed; paid, part lost; other fulfilled; every cancelled;
      every refund-due; every refunded; every delivered
deliver
  delivered | keeps 500 | delivered
      other shipped
  delivered | no money | delivered
      shipped, free
  delivered | had back 500 | delivered
      shipped, dispute lost; shipped, refunded
  delivered | owes 500 | delivered
      shipped, refund due; shipped, refund failed
  refused
      reserved; rejected; every awaiting-payment; every paid; every fulfilled; every cancelled; every refund-due;
      every refunded
  unchanged
      every delivered
redeem
  stays | no money | coupon-redeemed
      other fulfilled
  unchanged
      reserved; every awaiting-payment; every paid; redeemed; every shipped; every delivered
  refused, void
      rejected; every cancelled; every refund-due; every refunded
  refused, undone
      redeemed and undone
redeem elsewhere
  stays | no money | coupon-redeemed
      other fulfilled
  unchanged
      reserved; every awaiting-payment; every paid; every shipped; every delivered
  refused, void
      rejected; every cancelled; every refund-due; every refunded
  refused, redeemed
      redeemed
redeem other
  stays | no money | coupon-redeemed
      every fulfilled
  unchanged
      reserved; every awaiting-payment; every paid; every shipped; every delivered
  refused, void
      rejected; every cancelled; every refund-due; every refunded
undo redeeming
  stays | no money | redemption-undone
      redeemed
  refused, not-redeemed
      reserved; rejected; every awaiting-payment; every paid; other fulfilled; every cancelled; every refund-due;
      every refunded; every shipped; every delivered
  unchanged
      redeemed and undone
`

/** The cells of the table, `event / situation`, each with its outcome. */
function cellsOf(text: string): Map<string, string> {
  const cells = new Map<string, string>()
  const all = Object.entries(situations)
  for (const block of text.trim().split(/\n(?! )/)) {
    const [names = '', ...lines] = block.split('\n')
    const named: [situation: string, outcome: string][] = []
    let outcome = ''
    for (const line of lines) {
      if (!line.startsWith('   ')) outcome = line.trim()
      else for (const one of line.split(';')) if (one.trim() !== '') named.push([one.trim(), outcome])
    }
    const own = new Set(named.map(([situation]) => situation))
    for (const [situation, what] of named) {
      const status = /^(?:every|other) (.*)$/.exec(situation)?.[1]
      const meant = all.flatMap(([of, ones]) => (of === status ? Object.keys(ones) : []))
      const isEvery = situation.startsWith('every ')
      for (const one of status === undefined ? [situation] : isEvery ? meant : meant.filter((name) => !own.has(name))) {
        for (const event of names.split('; ')) {
          const cell = `${event} / ${one}`
          if (cells.has(cell)) throw new Error(`the table has two outcomes for ${cell}`)
          cells.set(cell, what)
        }
      }
    }
  }
  return cells
}

describe('the life of an order (O8, O9, L7, I1, I5)', () => {
  const outcomes = cellsOf(table)

  it('has one outcome for every event in every situation', () => {
    const ones = Object.values(situations).flatMap((of) => Object.keys(of))
    const wanted = Object.keys(events).flatMap((event) => ones.map((one) => `${event} / ${one}`))
    expect([...outcomes.keys()].toSorted()).toEqual(wanted.toSorted())
    const kinds = new Set<string>(Object.values(events).map(({ kind }) => kind))
    expect(kinds).toEqual(new Set(Object.keys(transitions)))
  })

  it.each(Object.entries(events))('is the table for: %s', (name, event) => {
    const found: Record<string, string> = {}
    const expected: Record<string, string | undefined> = {}
    for (const [status, ones] of Object.entries(situations)) {
      for (const [situation, of] of Object.entries(ones)) {
        const order = orderIn(of)
        expect(order.status, situation).toBe(status)
        found[situation] = outcomeOf(order, event, of[2] ?? nowMs)
        expected[situation] = outcomes.get(`${name} / ${situation}`)
      }
    }
    expect(found).toEqual(expected)
  })
})

function orderIn([order, lived]: Situation): Order {
  return lived.reduce((before, name, index) => {
    const at = name === 'time-out' ? timeOverMs : 10_000 + index * 1000
    const step = advance(before, events[name], at)
    if (step.kind !== 'moved') throw new Error(`${name} did not move a ${before.status} order`)
    return step.order
  }, order)
}

/** What the table says of an event. All but the answers comes from the orders before and after it. */
function outcomeOf(before: Order, event: LifeEvent, now: number): string {
  const step = advance(before, event, now)
  const after = step.kind === 'moved' ? step.order : before
  const settlement = event.kind === 'payment-authorised' ? [settlementOf(after, event.paymentId, now)] : []
  if (step.kind !== 'moved') return [...answerOf(step), ...settlement].join(', ')
  const isBack = holdsUnits(before.status) && !holdsUnits(after.status)
  const status = after.status === before.status ? 'stays' : `${after.status}${isBack ? ', units back' : ''}`
  const words = after.history.slice(before.history.length).map(({ what }) => what)
  const money = [...moneyOf(before, step), ...settlement].join(', ') || 'no money'
  return `${status} | ${money} | ${words.join(' + ')}`
}

function answerOf(step: Exclude<LifeStep, { kind: 'moved' }>): string[] {
  if (step.kind === 'same') return ['unchanged', ...(step.before || step.mismatch ? ['alarm'] : [])]
  return [step.kind, ...(step.kind === 'refused' && step.fault ? [step.fault.kind] : [])]
}

function moneyOf(before: Order, { order, refund, mismatch }: Extract<LifeStep, { kind: 'moved' }>): string[] {
  const { payment, amount, refunds = [] } = order
  const ofOrder = refunds.find(({ paymentId }) => paymentId === payment?.paymentId)
  const kept = payment?.state === 'succeeded' ? amount - Math.max(ofOrder?.amount ?? 0, ofOrder?.returned ?? 0) : 0
  const owed = refunds.reduce((sum, one) => sum + Math.max(0, one.amount - one.returned), 0)
  const rest = owed - (refund?.amount ?? 0)
  const returned = refunds.reduce((sum, one) => sum + one.returned, 0)
  const isListed = refunds.some(({ paymentId, amount, currency, returned }) => {
    return paymentId === refund?.paymentId && currency === refund.currency && amount - returned === refund.amount
  })
  const stops = refundProgress(before, order).map(({ isStopped }) => isStopped)
  return [
    kept > 0 && `keeps ${kept}`,
    refund && `sends ${refund.amount}${isListed ? '' : ' of another payment'}`,
    rest > 0 && `owes ${rest}${stops.includes(true) ? ' and stops' : stops.includes(false) ? ' and goes on' : ''}`,
    returned > 0 && `had back ${returned}`,
    mismatch && 'alarm',
  ].filter((one) => typeof one === 'string')
}
