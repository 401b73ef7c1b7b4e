/** Paying, cancelling and refunding one order at once, in every order in which their steps can meet. */
import { describe, expect, it } from 'vitest'
import type { Order } from '../../../core/orders/order.ts'
import { paymentIdOf } from '../../../core/orders/order-life.ts'
import { newOrder, toRejected } from '../../../functions/orders/new-order.ts'
import { noCoupons } from '../../../proof/simulation/parts/coupons.ts'
import { aSale, orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { type Exploration, exploreSchedules, type ModelActor } from './order-life-model.ts'

const sale = aSale({ price: 500, paymentWindowSeconds: 100, paymentGraceSeconds: 20 })
const reservation = {
  orderId: orderIdOf(sale.saleId, 1, 1),
  saleId: sale.saleId,
  shopperId: shopperIdOf(1),
  quantity: 1,
  reservedAt: 5_000,
}
const unpaid = newOrder(reservation, sale, 6_000, noCoupons)
const free = newOrder(reservation, { ...sale, price: 0 }, 6_000, noCoupons)
const graceMs = sale.paymentGraceSeconds * 1000
const times = [unpaid.payBy, unpaid.payBy + graceMs]

function money(attempt: number, amount = unpaid.amount): ModelActor['event'] {
  return { kind: 'payment-succeeded', paymentId: paymentIdOf(unpaid, attempt), amount, currency: sale.currency }
}

const timer: ModelActor = { name: 'the timer', event: { kind: 'payment-window-over' } }
const start: ModelActor = { name: 'the shopper paying', event: { kind: 'payment-started', graceMs } }
const paid: ModelActor = { name: 'the money', event: money(1), eventId: 'event-1' }
const paidTwice: ModelActor = { name: 'the money of another attempt', event: money(2), eventId: 'event-3' }
const cancel: ModelActor = { name: 'the shopper cancelling', event: { kind: 'cancelled-by-shopper' } }
const refund: ModelActor = { name: 'the marketer', event: { kind: 'refunded-by-marketer' } }

function back(attempt: number, amount = unpaid.amount): ModelActor['event'] {
  const paymentId = paymentIdOf(unpaid, attempt)
  return { kind: 'refund-succeeded', paymentId, amount, currency: sale.currency }
}
const providerRefund: ModelActor = { name: 'the provider refunding', event: back(1), eventId: 'event-6' }
const partRefund: ModelActor = { name: 'the provider refunding a part', event: back(1, 200), eventId: 'event-7' }
const restRefund: ModelActor = { name: 'the provider refunding the rest', event: back(1, 300), eventId: 'event-8' }

const sent = { kind: 'shipped', carrier: 'DHL', tracking: '1' } as const
const ship: ModelActor = { name: 'the warehouse', event: sent }
const shipAgain: ModelActor = { name: 'the same report once more', event: sent }
const correct: ModelActor = { name: 'a corrected report', event: { ...sent, tracking: '2' } }
const deliver: ModelActor = { name: 'the carrier', event: { kind: 'delivered' } }

const allActors: readonly ModelActor[] = [
  start,
  { ...start, name: 'the shopper paying again' },
  paid,
  { ...paid, name: 'the same event once more' },
  { ...paid, name: 'another event of the same money', eventId: 'event-2' },
  paidTwice,
  { name: 'money that is too little', event: money(3, unpaid.amount - 1), eventId: 'event-4' },
  {
    name: 'a payment that fails',
    event: { kind: 'payment-failed', paymentId: paymentIdOf(unpaid, 1) },
    eventId: 'event-5',
  },
  cancel,
  refund,
]

const explored = (actors: readonly ModelActor[], order: Order = unpaid): Exploration =>
  exploreSchedules({ order, actors, times })

function groupsOf<T>(size: number, all: readonly T[]): T[][] {
  if (size === 0) return [[]]
  return all.flatMap((one, index) => groupsOf(size - 1, all.slice(index + 1)).map((group) => [one, ...group]))
}

describe('an order with many concurrent actors', () => {
  it('has correct money and units in every schedule of the timer and any three others (O8, I1, I5)', () => {
    let schedules = 0
    let situations = 0
    const endings = new Set<string>()
    for (const group of groupsOf(3, allActors)) {
      const found = explored([timer, ...group])
      schedules += found.schedules
      situations += found.situations
      for (const status of found.endings.keys()) endings.add(status)
    }
    expect(schedules).toBeGreaterThan(100_000_000)
    expect(situations).toBeGreaterThan(100_000)
    expect(endings).toEqual(new Set(['paid', 'cancelled', 'refunded']))
  })

  it('has correct money and units when all payments and refunds come together (O8, O9, I1)', () => {
    const { schedules, endings } = explored([timer, paid, paidTwice, cancel, refund])
    expect(schedules).toBeGreaterThan(100_000_000)
    // Money arrived in every schedule, and the marketer always cancels the order.
    expect([...endings.keys()]).toEqual(['refunded'])
  })

  it('ends paid or refunded, and nothing else, whenever the payment arrives (O8)', () => {
    const { endings } = explored([timer, start, paid, cancel])
    expect(new Set(endings.keys())).toEqual(new Set(['paid', 'refunded']))
  })

  it('ends refunded, its units returned once, in any order of refunds by marketer and provider (O9, I1)', () => {
    const { endings, schedules } = explored([timer, paid, providerRefund, refund])
    expect([...endings.keys()]).toEqual(['refunded'])
    expect(schedules).toBeGreaterThan(1000)
    const twice = { ...providerRefund, name: 'the same refund once more' }
    expect([...explored([timer, start, paid, providerRefund, twice]).endings.keys()]).toEqual(['refunded'])
  })

  it('adds partial refunds up, in any order, whenever the payment is reported (O9, I5)', () => {
    const { endings } = explored([timer, paid, partRefund, restRefund, refund])
    expect([...endings.keys()]).toEqual(['refunded'])
    // A part alone leaves the order to its shopper, or the rest is owed.
    const part = explored([timer, paid, partRefund, { ...partRefund, name: 'the part once more' }, cancel])
    expect(new Set(part.endings.keys())).toEqual(new Set(['paid', 'refunded']))
    const other = { name: 'other money', event: money(2, 499), eventId: 'event-9' }
    const otherPart = { name: 'a part of it back', event: back(2, 100), eventId: 'event-10' }
    expect(new Set(explored([timer, paid, other, otherPart, cancel]).endings.keys())).toEqual(
      new Set(['paid', 'refunded']),
    )
  })

  it('refunds a payment of an order that costs nothing, or that was rejected (O9)', () => {
    expect([...explored([paid, paidTwice], free).endings.keys()]).toEqual(['fulfilled'])
    expect([...explored([paid, paidTwice, refund], free).endings.keys()]).toEqual(['cancelled'])
    const over = toRejected(unpaid, 'over-cap')
    expect([...explored([paid, paidTwice, cancel, refund], over).endings.keys()]).toEqual(['refunded'])
  })
})

describe('an order that is shipped', () => {
  it('keeps its units for good, in any order of payment, shipment and refunds (I1, I5)', () => {
    const { endings, schedules } = explored([timer, paid, ship, shipAgain, deliver, refund])
    expect(new Set(endings.keys())).toEqual(new Set(['refunded', 'shipped', 'delivered']))
    expect(schedules).toBeGreaterThan(1000)
    const byProvider = explored([paid, ship, correct, deliver, providerRefund, refund])
    expect(new Set(byProvider.endings.keys())).toEqual(new Set(['refunded', 'shipped', 'delivered']))
  })

  it('has its money counted when it goes back in parts, or came twice (O9, I5)', () => {
    const parts = explored([paid, ship, deliver, partRefund, restRefund, refund])
    expect(new Set(parts.endings.keys())).toEqual(new Set(['refunded', 'shipped', 'delivered']))
    const twice = explored([timer, paid, paidTwice, ship, cancel, refund])
    expect(new Set(twice.endings.keys())).toEqual(new Set(['refunded', 'shipped']))
  })

  it('may have cost nothing, and is cancelled only before it is shipped (I1)', () => {
    const { endings } = explored([ship, correct, deliver, refund, paid], free)
    expect(new Set(endings.keys())).toEqual(new Set(['cancelled', 'shipped', 'delivered']))
  })
})
