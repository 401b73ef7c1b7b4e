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
import { newOrder, toRejected } from '../../../functions/orders/new-order.ts'
import { couponCodeOf, noCoupons } from '../../../proof/simulation/parts/coupons.ts'
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
const coupons = { ...free, coupons: [couponCodeOf(1), couponCodeOf(2)] }

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
const atShopA = { code: couponCodeOf(1), shop: 'shop A', key: keyOf('a') }

/** Every event, by its name in the table. Events called second belong to the second attempt to pay, all others to the first. */
const events = {
  'queued to pay': { kind: 'payment-queued', opensAt: nowMs + 5_000 },
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
  'payment released': { kind: 'payment-failed', paymentId: first, isReleased: true },
  'second payment fails': { kind: 'payment-failed', paymentId: second },
  'time-out': { kind: 'payment-window-over' },
  cancel: { kind: 'cancelled-by-shopper' },
  refund: { kind: 'refunded-by-marketer' },
  'refund done': back(first, 500),
  'part of refund done': back(first, 200),
  'too much refunded': back(first, 501),
  'wrong currency refunded': back(first, 500, 'EUR'),
  'second payment refunded': back(second, 500),
  'refund fails': { kind: 'refund-failed', paymentId: first, currency: 'CNY' },
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
  'redeem other': { kind: 'coupon-redeemed', ...atShopA, code: couponCodeOf(2) },
  'undo redeeming': { kind: 'redemption-undone', ...atShopA, undoMs: 60_000 },
} as const satisfies Record<string, LifeEvent>

type EventName = keyof typeof events

/** The order before any event, the events that led to the situation, and the time of the next one. */
type Situation = [order: Order, lived: EventName[], nowMs?: number]

/** The situations of an order, by its status. */
const situations: Record<OrderStatus, Record<string, Situation>> = {
  reserved: { reserved: [{ ...written, status: 'reserved', history: written.history.slice(0, 1) }, []] },
  rejected: { rejected: [toRejected(written, 'over-cap'), []] },
  'awaiting-payment': {
    unpaid: [written, []],
    'time over': [written, [], timeOverMs],
    'in the payment queue': [written, ['queued to pay']],
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
    'cancelled by shopper': [written, ['start paying', 'cancel']],
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

/** The money of an order before the event, in the words of the table. */
const moneyBefore = `
before
  no money
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  had back 500
      refunded first; every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  had back 200
      part refunded first
  keeps 500
      other paid; other shipped; other delivered
  keeps 500, owes 500
      paid twice
  keeps 300, had back 200
      paid, part refunded; paid, part lost
  owes 500
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  owes 300, had back 200
      refund due, part back
`

/**
 * The table. Below an event stand its outcomes, and below each outcome the situations that have it. "every" means all
 * situations of a status, "other" those that the event does not name otherwise, and "all others" those of every status. An
 * order that an event changes has three columns:
 * - its new status, and whether its units go back to stock; `stays` keeps both,
 * - its money: what the shop `keeps` of the order's payment, what the step `sends` back by asking the provider, what it `owes`
 *   besides (the step `stops` that request or lets it go on), and what the shopper `had back` in all. `as before` is the money of
 *   the situation. `capture`, `release`, `wait` and `none` say what becomes of the authorised money. An `alarm` reports money that
 *   cannot be counted,
 * - the words added to its history.
 * An event that begins with "as" and another one has the outcomes of that event but for those that it names, with a further word
 * in the history where it says "after".
 */
const table = `
queued to pay
  stays | as before | payment-queued
      unpaid; payment failed
  too-late
      time over
  unchanged
      other awaiting-payment
  refused
      all others
start paying; start paying in shop
  stays | as before | payment-started
      unpaid; in the payment queue; payment failed
  too-late
      time over
  unchanged
      other awaiting-payment
  refused
      all others
authorised
  unchanged, release
      reserved; rejected; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | as before, capture | payment-authorised
      other awaiting-payment
  unchanged, capture
      being captured
  unchanged, wait
      capture over
  unchanged, none
      every paid; every refund-due; every refunded; other shipped; other delivered
wrong authorised
  as authorised
  unchanged, release
      unpaid; time over; in the payment queue; being paid; grace over; being paid in shop; payment failed;
      refunded first; part refunded first
payment
  stays | as before, sends 500 | other-money-received
      reserved; every fulfilled; coupons cancelled; shipped, free; delivered, free
  refund-due | as before, sends 500 | payment-succeeded
      rejected; other cancelled
  paid | as before, keeps 500 | payment-succeeded
      other awaiting-payment
  refunded, units back | as before | payment-succeeded + refund-succeeded
      refunded first
  paid | as before, keeps 300 | payment-succeeded
      part refunded first
  unchanged
      every paid; every refund-due; every refunded; other shipped; other delivered
wrong amount
  stays | as before, sends 499 | other-money-received
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 499, alarm | other-money-received
      refunded first
  stays | as before, sends 299 | other-money-received
      part refunded first
  unchanged, alarm
      every paid; every refund-due; every refunded; other shipped; other delivered
wrong currency
  stays | as before, sends 500 | other-money-received
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | sends 500, alarm | other-money-received
      refunded first; part refunded first
  unchanged, alarm
      every paid; every refund-due; every refunded; other shipped; other delivered
payment of 0
  stays | as before | payment-failed
      being paid; being paid in shop; refunded first; part refunded first
  cancelled, units back | as before | payment-failed + payment-window-over
      grace over
  unchanged, alarm
      every paid; every refund-due; every refunded; shipped; shipped, paid in shop; shipped, disputed;
      shipped, dispute lost; shipped, refund due; shipped, refund failed; shipped, refunded; delivered;
      delivered, disputed; delivered, refund due; delivered, refunded
  unchanged
      all others
second payment
  refund-due | as before, sends 500 | payment-succeeded
      rejected; not paid in time; cancelled by shopper; cancelled by marketer; released by shop
  paid | as before, keeps 500 | payment-succeeded
      every awaiting-payment
  unchanged
      paid twice
  stays | as before, sends 500 | other-money-received
      all others
second wrong amount
  unchanged, alarm
      paid twice
  stays | as before, sends 499 | other-money-received
      all others
payment fails
  stays | as before | payment-failed
      being paid; being paid in shop; refunded first; part refunded first
  cancelled, units back | as before | payment-failed + payment-window-over
      grace over
  unchanged
      all others
payment released
  as payment fails
  stays | as before | payment-failed
      being captured
  cancelled, units back | as before | payment-failed + payment-window-over
      capture over
second payment fails
  unchanged
      all others
time-out
  not-yet
      other awaiting-payment
  cancelled, units back | as before | payment-window-over
      time over; grace over; capture over
  unchanged
      all others
cancel
  cancelled, units back | as before | cancelled-by-shopper
      unpaid; time over; in the payment queue; being paid; grace over; being paid in shop; payment failed;
      capture over; refunded first; part refunded first
  unchanged
      every cancelled
  refused
      all others
refund
  refused
      reserved; rejected; being captured; other paid; redeemed; not paid in time; cancelled by shopper;
      released by shop; paid too late; refunded by shop; shipped, free; shipped, paid in shop; shipped, disputed;
      shipped, dispute lost; delivered, free; delivered, disputed
  cancelled, units back | as before | refunded-by-marketer
      other awaiting-payment; other fulfilled
  refund-due, units back | sends 500 | refunded-by-marketer
      paid; paid, dispute won
  refund-due, units back | sends 500, owes 500 | refunded-by-marketer
      paid twice
  refund-due, units back | sends 300, had back 200 | refunded-by-marketer
      paid, part refunded
  stays | sends 500 | refunded-by-marketer
      shipped; delivered
  unchanged
      all others
refund done
  stays | as before, had back 500 | money-returned
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 1000 | money-returned
      refunded first
  stays | had back 700 | money-returned
      part refunded first
  refunded, units back | had back 500 | refund-succeeded
      paid; paid in shop; paid, disputed; paid, dispute won
  refunded, units back | owes 500, had back 500 | refund-succeeded
      paid twice
  refunded | had back 500 | refund-succeeded
      refund due; refund due, failed; refund due, disputed; paid too late
  stays | had back 500 | refund-succeeded
      shipped; shipped, paid in shop; shipped, disputed; shipped, refund due; shipped, refund failed; delivered;
      delivered, disputed; delivered, refund due
  refunded, units back | had back 500, alarm | refund-succeeded
      paid, part refunded; paid, part lost
  refunded | had back 500, alarm | refund-succeeded
      refund due, part back
  unchanged, alarm
      all others
part of refund done
  stays | as before, had back 200 | money-returned
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
  stays | as before, had back 501 | money-returned
      reserved; rejected; other awaiting-payment; every fulfilled; every cancelled; shipped, free; delivered, free
  stays | had back 1001 | money-returned
      refunded first
  stays | had back 701 | money-returned
      part refunded first
  refunded, units back | had back 500, alarm | refund-succeeded
      other paid
  refunded, units back | owes 500, had back 500, alarm | refund-succeeded
      paid twice
  refunded | had back 500, alarm | refund-succeeded
      every refund-due
  stays | had back 500, alarm | refund-succeeded
      other shipped; other delivered
  unchanged, alarm
      every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
wrong currency refunded
  stays | as before, had back 500 | money-returned
      reserved; rejected; unpaid; time over; in the payment queue; being paid; grace over; being paid in shop;
      payment failed; being captured; capture over; every fulfilled; every cancelled; shipped, free; delivered, free
  unchanged, alarm
      all others
second payment refunded
  stays | had back 1000 | money-returned
      refunded first; every refunded; shipped, dispute lost; shipped, refunded; delivered, refunded
  stays | had back 700 | money-returned
      part refunded first
  stays | keeps 500, had back 500 | money-returned
      paid twice
  stays | keeps 300, had back 700 | money-returned
      paid, part refunded; paid, part lost
  stays | owes 300, had back 700 | money-returned
      refund due, part back
  stays | as before, had back 500 | money-returned
      all others
refund fails
  stays | owes 500 and stops | refund-failed
      other refund-due; shipped, refund due; shipped, refund failed; delivered, refund due
  stays | owes 300 and stops, had back 200 | refund-failed
      refund due, part back
  stays | as before | refund-failed
      all others
refund settled
  refunded | had back 500 | refund-settled
      refund due, failed
  stays | as before | refund-settled
      refunded, then failed
  unchanged
      refunded, settled
  stays | had back 500 | refund-settled
      shipped, refund failed
  refused
      all others
dispute
  stays | as before | payment-disputed
      reserved; rejected; every awaiting-payment; paid; paid in shop; paid twice; paid, part refunded;
      every fulfilled; every cancelled; refund due, failed; refunded; refunded, then failed; refunded, settled;
      refunded by provider; refunded by shop; shipped; shipped, free; shipped, paid in shop; shipped, refund failed;
      shipped, refunded; delivered; delivered, free; delivered, refunded
  stays | owes 500 and stops | payment-disputed
      refund due; paid too late; shipped, refund due; delivered, refund due
  stays | owes 300 and stops, had back 200 | payment-disputed
      refund due, part back
  unchanged
      all others
second dispute
  stays | keeps 500, owes 500 and stops | payment-disputed
      paid twice
  stays | as before | payment-disputed
      all others
second dispute lost
  as second payment refunded, after dispute-lost
dispute won
  stays | owes 500 and goes on | dispute-won
      refund due, disputed
  unchanged
      paid, dispute won; paid, part lost; refunded, dispute lost; shipped, dispute lost
  stays | as before | dispute-won
      all others
dispute lost
  as refund done, after dispute-lost
  unchanged
      paid, part lost; refunded, dispute lost; shipped, dispute lost
  stays | as before, alarm | dispute-lost
      other refunded; shipped, refunded; delivered, refunded
dispute lost in part
  as part of refund done, after dispute-lost
  unchanged
      paid, part lost; refunded, dispute lost; shipped, dispute lost
  stays | owes 300 and stops, had back 200 | dispute-lost + money-returned
      other refund-due; shipped, refund due; delivered, refund due
  stays | owes 100 and stops, had back 400 | dispute-lost + money-returned
      refund due, part back
  stays | as before, alarm | dispute-lost
      other refunded; shipped, refunded; delivered, refunded
shop confirms
  paid | as before, keeps 500 | confirmed-by-shop
      being paid in shop
  unchanged
      paid in shop; shipped, paid in shop
  refused
      all others
other order of shop confirms
  paid | as before, keeps 500 | confirmed-by-shop
      being paid in shop
  refused
      all others
shop releases
  cancelled, units back | as before | released-by-shop
      being paid in shop
  refunded, units back | had back 500 | released-by-shop
      paid in shop
  unchanged
      released by shop; refunded by shop
  refused
      all others
ship
  shipped | as before | shipped
      paid; paid in shop; paid twice; paid, part refunded; paid, dispute won; free goods
  unchanged
      every shipped; every delivered
  refused
      all others
ship otherwise
  as ship
  stays | as before | shipped
      every shipped
  refused
      every delivered
deliver
  delivered | as before | delivered
      every shipped
  unchanged
      every delivered
  refused
      all others
redeem
  unchanged
      reserved; every awaiting-payment; every paid; redeemed; every shipped; every delivered
  refused, void
      rejected; every cancelled; every refund-due; every refunded
  stays | as before | coupon-redeemed
      other fulfilled
  refused, undone
      redeemed and undone
redeem elsewhere
  as redeem
  stays | as before | coupon-redeemed
      redeemed and undone
  refused, redeemed
      redeemed
redeem other
  as redeem
  stays | as before | coupon-redeemed
      redeemed; redeemed and undone
undo redeeming
  stays | as before | redemption-undone
      redeemed
  unchanged
      redeemed and undone
  refused, not-redeemed
      all others
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
    const meantBy = (situation: string) => {
      const [, word, status] = /^(every|other|all) (.*)$/.exec(situation) ?? []
      if (word === undefined) return [situation]
      const isMeant = (of: string) =>
        of === status || (word === 'all' && !own.has(`every ${of}`) && !own.has(`other ${of}`))
      const meant = all.flatMap(([of, ones]) => (isMeant(of) ? Object.keys(ones) : []))
      return word === 'every' ? meant : meant.filter((name) => !own.has(name))
    }
    for (const [situation, what] of named) {
      for (const one of meantBy(situation)) {
        for (const event of names.split('; ')) {
          const cell = `${event} / ${one}`
          if (cells.has(cell)) throw new Error(`the table has two outcomes for ${cell}`)
          cells.set(cell, what)
        }
      }
    }
    const [, other, word] = /^ {2}as ([^,|]+)(?:, after (.+))?$/.exec(lines[0] ?? '') ?? []
    for (const one of other === undefined ? [] : all.flatMap(([, ones]) => Object.keys(ones))) {
      const what = cells.get(`${other} / ${one}`) ?? ''
      const cell = `${names} / ${one}`
      if (!cells.has(cell)) cells.set(cell, word === undefined ? what : what.replace(/ \| (?=[^|]*$)/, ` | ${word} + `))
    }
  }
  return cells
}

const columns = ['keeps', 'sends', 'owes', 'had back', 'alarm', 'capture']

/** An outcome with the money of its situation in place of `as before`. */
function withMoney(outcome: string | undefined, before: string): string | undefined {
  const parts = outcome?.split(' | ')
  if (parts?.[1]?.startsWith('as before') !== true) return outcome
  const money = [...before.split(', '), ...parts[1].split(', ').slice(1)]
  const isIn = (column: string) => money.filter((part) => part.startsWith(column))
  return parts.with(1, columns.flatMap(isIn).join(', ') || 'no money').join(' | ')
}

describe('the life of an order (O8, O9, L7, I1, I5)', () => {
  const outcomes = cellsOf(table)
  const moneys = cellsOf(moneyBefore)

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
        const before = moneys.get(`before / ${situation}`) ?? ''
        expect(order.status, situation).toBe(status)
        expect(moneyOf(order, { kind: 'moved', order }).join(', ') || 'no money', situation).toBe(before)
        found[situation] = outcomeOf(order, event, of[2] ?? nowMs)
        expected[situation] = withMoney(outcomes.get(`${name} / ${situation}`), before)
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

/** Returns the row of the table for an event. All but the answers comes from the orders before and after it. */
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
