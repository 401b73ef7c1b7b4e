import { describe, expect, it } from 'vitest'
import { holdsUnits, isRevenue, type Order, type OrderStatus, orderStatuses } from '../../../core/orders/order.ts'
import {
  advance,
  captureMs,
  type LifeEvent,
  type LifeStep,
  paymentIdOf,
  settlementOf,
  transitions,
} from '../../../core/orders/order-life.ts'
import { refundProgress } from '../../../core/orders/order-refunds.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { noCoupons } from '../../../proof/simulation/parts/coupons.ts'
import { aSale, orderIdOf, shopperIdOf } from '../../redis/support.ts'

const sale = aSale({ price: 250, paymentWindowSeconds: 100 })
const graceMs = 20_000
const writtenAt = 6_000
const payBy = writtenAt + 100_000

const written = newOrder(
  {
    orderId: orderIdOf(sale.saleId, 1, 1),
    saleId: sale.saleId,
    shopperId: shopperIdOf(1),
    quantity: 2,
    reservedAt: 5_000,
  },
  sale,
  writtenAt,
  noCoupons,
)
const first = paymentIdOf(written, 1)
const second = paymentIdOf(written, 2)

const pay: LifeEvent = { kind: 'payment-started', graceMs }
const timer: LifeEvent = { kind: 'payment-window-over' }
const cancel: LifeEvent = { kind: 'cancelled-by-shopper' }
const refund: LifeEvent = { kind: 'refunded-by-marketer' }
const failed = (paymentId: string): LifeEvent => ({ kind: 'payment-failed', paymentId })
const back = (paymentId: string, amount = 500, currency = 'CNY'): LifeEvent => ({
  kind: 'refund-succeeded',
  paymentId,
  amount,
  currency,
})
/** An entry of the order's refunds. */
const owed = (paymentId: string, amount = 500, currency = 'CNY', returned = 0) => ({
  paymentId,
  amount,
  currency,
  returned,
})
const money = (paymentId: string, amount = 500, currency = 'CNY'): LifeEvent => ({
  kind: 'payment-succeeded',
  paymentId,
  amount,
  currency,
})

/** The order after steps that must all change it, one a second. */
function lived(...events: LifeEvent[]): Order {
  return events.reduce((order, event, index) => {
    const step = advance(order, event, timeOf(event, index))
    if (step.kind !== 'moved') throw new Error(`${event.kind} did not move a ${order.status} order`)
    return step.order
  }, written)
}

const timeOf = ({ kind }: LifeEvent, index: number) =>
  kind === 'payment-window-over' ? payBy + graceMs : writtenAt + (index + 1) * 1000

function orderOf(step: LifeStep): Order {
  if (step.kind !== 'moved') throw new Error(`the order did not move: ${step.kind}`)
  return step.order
}

describe('the table of transitions', () => {
  const changes = Object.values(transitions).flatMap((to) =>
    Object.entries(to).map(([from, status]) => [from, status] as const),
  )

  it('lets units be returned but never taken a second time (O8, L7, I1)', () => {
    const holds = (status: string) => holdsUnits(orderStatuses.find((one) => one === status) ?? 'rejected')
    expect(changes.filter(([from, to]) => !holds(from) && holds(to))).toEqual([])
  })

  it('ends with refunded money, and begins with none of its events', () => {
    expect(changes.filter(([from]) => from === 'refunded')).toEqual([])
    expect(changes.filter(([from]) => from === 'reserved')).toEqual([])
  })

  it('reaches every status of a written order (O8, L7)', () => {
    const begun: OrderStatus[] = ['reserved', 'awaiting-payment', 'fulfilled', 'rejected']
    const reached = new Set<string>([...begun, ...changes.map(([, to]) => to)])
    expect(reached).toEqual(new Set(orderStatuses))
  })
})

const shipped: LifeEvent = { kind: 'shipped', carrier: 'DHL', tracking: '1' }
const delivered: LifeEvent = { kind: 'delivered' }
const free = { ...written, status: 'fulfilled', amount: 0 } as const
const paid = lived(money(first))
const late = payBy + graceMs

describe('an event that comes too early, or again with another amount', () => {
  it.each<[string, Order, LifeEvent, object, number]>([
    ['the timer before its time', written, timer, { kind: 'not-yet', at: payBy }, payBy - 1],
    ['the timer during a payment (O8)', lived(pay), timer, { kind: 'not-yet', at: late }, payBy],
  ])('has to wait: %s', (_, order, event, answer, now) => {
    expect(advance(order, event, now)).toEqual(answer)
  })

  it.each<[string, Order, LifeEvent]>([
    ['its payment with another amount', paid, money(first, 700)],
    ['its payment in another currency', paid, money(first, 500, 'EUR')],
    ['its owed payment with another amount', lived(cancel, money(first)), money(first, 1)],
  ])('counts what came first: %s', (_, order, event) => {
    const before = { paymentId: first, amount: 500, currency: 'CNY' }
    expect(advance(order, event, 9_000)).toEqual({ kind: 'same', before })
  })
})

describe('paying', () => {
  it('keeps the units for a payment in progress, for the grace period and no longer (O8)', () => {
    const order = lived(pay)
    expect(order).toMatchObject({
      ...{ status: 'awaiting-payment', payBy, cancelAt: late },
      payment: { paymentId: first, attempt: 1, startedAt: 7_000, state: 'started' },
    })
    expect(orderOf(advance(order, timer, late)).status).toBe('cancelled')
    expect(advance(written, pay, payBy - 1).kind).toBe('moved')
  })

  it('may be tried again once it has failed, and has no grace period in between', () => {
    const order = lived(pay, failed(first))
    expect(order).toMatchObject({ cancelAt: payBy, payment: { paymentId: first, state: 'failed' } })
    expect(lived(pay, failed(first), pay).payment).toMatchObject({ paymentId: second, attempt: 2 })
  })
})

describe('money', () => {
  it('pays the order, from any attempt, also one that was reported as failed', () => {
    const payment = { paymentId: first, state: 'succeeded' }
    expect(lived(pay, money(first))).toMatchObject({ status: 'paid', payment })
    expect(lived(pay, failed(first), pay, money(first))).toMatchObject({ status: 'paid', payment })
  })

  it('counts until the order is cancelled, however late it is, and is refunded then (O8, O9)', () => {
    expect(orderOf(advance(lived(pay), money(first), late + 1)).status).toBe('paid')
    expect(advance(lived(pay, timer), money(first), late + 1)).toMatchObject({
      kind: 'moved',
      order: { status: 'refund-due', reason: 'unpaid', refunds: [owed(first)] },
      refund: { paymentId: first, amount: 500, currency: 'CNY' },
    })
  })

  it('of a second payment is refunded, and the order stays paid by the first', () => {
    const step = advance(lived(pay, money(first)), money(second), 9_000)
    expect(step).toMatchObject({
      order: { status: 'paid', payment: { paymentId: first }, refunds: [owed(second)] },
      refund: { paymentId: second },
    })
    expect(advance(orderOf(step), money(second), 9_000)).toEqual({ kind: 'same' })
  })

  it.each([
    ['too little', money(first, 499), 499, 'CNY'],
    ['too much', money(first, 501), 501, 'CNY'],
    ['in another currency', money(first, 500, 'EUR'), 500, 'EUR'],
  ])('that is %s is refunded as it came, and pays nothing', (_what, event, amount, currency) => {
    const step = advance(lived(pay), event, 9_000)
    expect(step).toMatchObject({
      order: { status: 'awaiting-payment', refunds: [owed(first, amount, currency)] },
      refund: { paymentId: first, amount, currency },
    })
    const again = advance(orderOf(step), pay, 10_000)
    expect(again, 'and the shopper may try once more').toMatchObject({
      order: { payment: { paymentId: second, state: 'started' } },
    })
  })
})

describe('cancelling', () => {
  it('happens when the time is over, or when the shopper wants it, also with a payment in progress (O8)', () => {
    expect(orderOf(advance(written, timer, payBy))).toMatchObject({ status: 'cancelled', reason: 'unpaid' })
    expect(lived(cancel)).toMatchObject({ status: 'cancelled', reason: 'by-shopper' })
    expect(lived(pay, cancel).status).toBe('cancelled')
  })
})

describe('a refund by the marketer', () => {
  it('returns the money of a paid order, and reports it once it has arrived (O9)', () => {
    const step = advance(lived(pay, money(first)), refund, 9_000)
    expect(step).toMatchObject({
      order: { status: 'refund-due', reason: 'by-marketer', refunds: [owed(first)] },
      refund: { paymentId: first, amount: 500, currency: 'CNY' },
    })
    expect(orderOf(advance(orderOf(step), back(first), 9_500)).status).toBe('refunded')
  })

  it.each([written, { ...written, status: 'fulfilled' } as const])(
    'of an order without a payment only cancels it: $status',
    (order) => {
      const step = advance(order, refund, 9_000)
      expect(step).toMatchObject({ kind: 'moved', order: { status: 'cancelled', reason: 'by-marketer' } })
      expect(step).not.toHaveProperty('refund')
    },
  )

  it('is done by the money of the order, not by other money that was refunded before', () => {
    const order = lived(pay, money(first), money(second), refund)
    expect(order.refunds).toEqual([owed(second), owed(first)])
    expect(orderOf(advance(order, back(second), 9_000)).status).toBe('refund-due')
    expect(orderOf(advance(order, back(first), 9_000)).status).toBe('refunded')
  })
})

describe('shipping (N2)', () => {
  it('begins with a paid or a free order, and with no other', () => {
    const shipment = { carrier: 'DHL', tracking: '1' }
    for (const order of [paid, free]) {
      expect(orderOf(advance(order, shipped, 9_000))).toMatchObject({ status: 'shipped', shipment })
    }
    for (const status of orderStatuses) {
      const step = advance({ ...written, status }, shipped, 9_000)
      const mayShip = ['paid', 'fulfilled', 'shipped'].includes(status)
      expect(step.kind, status).toBe(mayShip ? 'moved' : 'refused')
    }
  })

  it('may be corrected until it is delivered (I5)', () => {
    const order = lived(money(first), shipped)
    const corrected = orderOf(advance(order, { kind: 'shipped', carrier: 'UPS' }, 9_000))
    expect(corrected).toMatchObject({ status: 'shipped', shipment: { carrier: 'UPS' } })
    expect(corrected.shipment).not.toHaveProperty('tracking')
    expect(orderOf(advance(order, delivered, 9_000)).status).toBe('delivered')
  })

  it.each([
    ['shipped', [shipped]],
    ['delivered', [shipped, delivered]],
  ] as const)('leaves an order %s when the marketer refunds it, and owes its money once (I1, I5)', (status, sent) => {
    const step = advance(lived(money(first), ...sent), refund, 19_000)
    expect(step).toMatchObject({
      order: { status, refunds: [owed(first)] },
      refund: { paymentId: first, amount: 500, currency: 'CNY' },
    })
    const order = orderOf(step)
    expect(advance(order, refund, 19_500)).toEqual({ kind: 'same' })
    const part = orderOf(advance(order, back(first, 200), 19_600))
    expect(part).toMatchObject({ status, refunds: [owed(first, 500, 'CNY', 200)] })
    const all = orderOf(advance(part, back(first, 300), 19_700))
    expect(all).toMatchObject({ status, refunds: [owed(first, 500, 'CNY', 500)] })
    expect(all.history.at(-1)).toMatchObject({ what: 'refund-succeeded', status })
    expect(advance(all, refund, 19_800)).toEqual({ kind: 'same' })
    expect(advance(all, back(first, 1), 19_800)).toMatchObject({ kind: 'same', mismatch: {} })
  })

  it('is not undone by a refund that the provider made by itself (O9, I1)', () => {
    const order = orderOf(advance(lived(money(first), shipped), back(first), 9_000))
    expect(order).toMatchObject({ status: 'shipped', refunds: [owed(first, 500, 'CNY', 500)] })
    expect(advance(order, refund, 9_500)).toEqual({ kind: 'same' })
    const half = orderOf(advance(lived(money(first), shipped), back(first, 200), 9_000))
    expect(advance(half, refund, 9_500)).toMatchObject({
      refund: { amount: 300 },
      order: { status: 'shipped' },
    })
  })

  it('of a free order leaves nothing to refund, and money that comes is other money', () => {
    const order = orderOf(advance(free, shipped, 9_000))
    expect(advance(order, refund, 9_500)).toEqual({ kind: 'refused' })
    expect(advance(order, money(first), 9_500)).toMatchObject({
      order: { status: 'shipped' },
      refund: { amount: 500 },
    })
  })
})

describe('the history', () => {
  it('contains every step of an order, the oldest first, and none twice', () => {
    const order = lived(pay, failed(first), pay, cancel, money(second), back(second))
    expect(order.history.map(({ what, status }) => `${what}: ${status}`)).toEqual([
      'reserved: reserved',
      'written: awaiting-payment',
      'payment-started: awaiting-payment',
      'payment-failed: awaiting-payment',
      'payment-started: awaiting-payment',
      'cancelled-by-shopper: cancelled',
      'payment-succeeded: refund-due',
      'refund-succeeded: refunded',
    ])
    expect(order.history.map(({ at }) => at)).toEqual([5_000, 6_000, 7_000, 8_000, 9_000, 10_000, 11_000, 12_000])
  })
})

describe('an authorised payment', () => {
  const authorised = (paymentId: string, changes: object = {}): LifeEvent => {
    return { kind: 'payment-authorised', paymentId, amount: 500, currency: 'CNY', ...changes }
  }
  const reference = 'pi_1'

  it('is accepted by an order that can be paid, and keeps it from being cancelled (O8)', () => {
    const order = lived(pay, authorised(first, { reference }))
    expect(order).toMatchObject({ status: 'awaiting-payment', payment: { state: 'authorised', reference } })
    const acceptedAt = order.history.at(-1)?.at ?? 0
    expect(order.cancelAt).toBeGreaterThanOrEqual(acceptedAt + captureMs)
    expect(settlementOf(order, first, acceptedAt)).toBe('capture')
    expect(advance(order, cancel, acceptedAt)).toEqual({ kind: 'refused' })
    expect(advance(order, refund, acceptedAt)).toEqual({ kind: 'refused' })
    const timer = advance(order, { kind: 'payment-window-over' }, order.cancelAt - 1)
    expect(timer).toEqual({ kind: 'not-yet', at: order.cancelAt })
  })

  it('is released once its order is cancelled, and not captured shortly before', () => {
    const order = lived(pay, authorised(first))
    expect(settlementOf(order, first, order.cancelAt - 1)).toBe('wait')
    const cancelled = orderOf(advance(order, { kind: 'payment-window-over' }, order.cancelAt))
    expect(cancelled.status).toBe('cancelled')
    expect(settlementOf(cancelled, first, order.cancelAt)).toBe('release')
  })

  it.each([
    ['in another amount', lived(pay), authorised(first, { amount: 499 })],
    ['in another currency', lived(pay), authorised(first, { currency: 'USD' })],
    ['for a cancelled order', lived(pay, cancel), authorised(first)],
    ['for a paid order', lived(pay, money(first)), authorised(second)],
    ['next to one that is being captured', lived(pay, authorised(first)), authorised(second)],
  ])('is released when it comes %s', (_case, order, event) => {
    expect(advance(order, event, 9_000)).toEqual({ kind: 'same' })
    const paymentId = 'paymentId' in event ? event.paymentId : ''
    expect(settlementOf(order, paymentId, 9_000)).toBe('release')
  })

  it('is released when there is no such order', () => {
    expect(settlementOf(undefined, first, 9_000)).toBe('release')
  })

  it('is settled once its money has come, also when that was refunded since', () => {
    const paid = lived(pay, authorised(first, { reference }), money(first))
    expect(paid).toMatchObject({ status: 'paid', payment: { reference } })
    expect(settlementOf(paid, first, 9_000)).toBe('none')
    expect(advance(paid, refund, 9_000)).toMatchObject({ refund: { paymentId: first, reference } })
    expect(settlementOf(lived(pay, cancel, money(first)), first, 9_000)).toBe('none')
  })

  it('that is not captured lets the shopper pay again, for as long as there was (O8)', () => {
    const order = lived(pay, authorised(first), failed(first))
    expect(order).toMatchObject({ payment: { state: 'failed' }, cancelAt: order.payBy })
    expect(orderOf(advance(order, pay, 9_000)).payment?.paymentId).toBe(second)
  })

  it('of an earlier attempt counts like that of the last', () => {
    const order = lived(pay, failed(first), pay, authorised(first))
    expect(settlementOf(order, first, 9_000)).toBe('capture')
    expect(settlementOf(order, second, 9_000)).toBe('release')
  })
})

describe('a disputed payment', () => {
  const disputed: LifeEvent = { kind: 'payment-disputed', paymentId: first }
  const won: LifeEvent = { kind: 'dispute-won', paymentId: first }
  const lost = (amount = 500, currency = 'CNY'): LifeEvent => ({
    ...{ kind: 'dispute-lost', paymentId: first, amount, currency },
  })

  it('is marked at its order, which is neither sent nor refunded nor revenue while it is open', () => {
    const paid = lived(pay, money(first))
    const { history, dispute, ...rest } = orderOf(advance(paid, disputed, 9_000))
    expect(history.at(-1)).toEqual({ at: 9_000, what: 'payment-disputed', status: 'paid' })
    expect(dispute).toEqual({ paymentId: first, state: 'open', at: 9_000, each: { [first]: 'open' } })
    const { history: _, ...before } = paid
    expect(rest).toEqual(before)
    const order = { ...rest, history, dispute }
    for (const event of [refund, shipped]) expect(advance(order, event, 9_100).kind).toBe('refused')
    expect([isRevenue(paid), isRevenue(order)]).toEqual([true, false])
  })

  it('that is won lets the order be sent, refunded and counted again', () => {
    const order = lived(pay, money(first), disputed, won)
    expect(order.dispute?.state).toBe('won')
    expect(isRevenue(order)).toBe(true)
    for (const event of [refund, shipped]) expect(advance(order, event, 9_100).kind).toBe('moved')
  })

  it('that is lost ends an order that was not sent, because its money went back (O9)', () => {
    const order = lived(pay, money(first), disputed, lost())
    expect(order).toMatchObject({ status: 'refunded', refunds: [{ amount: 500, returned: 500 }] })
    expect(advance(order, refund, 9_100).kind).toBe('same')
    const sent = lived(pay, money(first), shipped, disputed, lost())
    expect(sent).toMatchObject({ status: 'shipped', dispute: { state: 'lost' } })
    expect(isRevenue(sent)).toBe(false)
    expect(advance(sent, refund, 9_100).kind).not.toBe('moved')
  })

  it('that is lost with a sum that cannot be counted is reported, and still blocks the order', () => {
    const order = lived(pay, money(first), disputed)
    const step = advance(order, lost(520), 9_000)
    expect(step).toMatchObject({ kind: 'moved', mismatch: { reported: { amount: 520 } } })
    for (const event of [refund, shipped]) expect(advance(orderOf(step), event, 9_100).kind).toBe('refused')
  })

  it('stays closed when the report of its beginning comes last (I5)', () => {
    const order = lived(pay, money(first), won)
    expect(advance(order, disputed, 9_000).kind).toBe('same')
  })

  const one = { disputeId: 'du_1' }
  const another = { disputeId: 'du_2' }

  it('that follows a won one blocks shipment and refund again, and its own end frees them', () => {
    const order = lived(pay, money(first), { ...disputed, ...one }, { ...won, ...one })
    const again = orderOf(advance(order, { ...disputed, ...another }, 9_000))
    expect([again.dispute?.state, isRevenue(again)]).toEqual(['open', false])
    for (const event of [refund, shipped]) expect(advance(again, event, 9_100).kind).toBe('refused')
    const after = orderOf(advance(again, { ...won, ...another }, 9_200))
    for (const event of [refund, shipped]) expect(advance(after, event, 9_300).kind).toBe('moved')
  })

  const disputedIn = (id: object): LifeEvent => ({ ...disputed, ...id })
  const wonIn = (id: object): LifeEvent => ({ ...won, ...id })
  it.each([
    ['opened before the first has ended', [disputedIn(one), disputedIn(another), wonIn(one)], 'open'],
    ['won, with the first opened too', [disputedIn(one), disputedIn(another), wonIn(another)], 'open'],
    ['won after the first was lost', [{ ...lost(), ...one }, disputedIn(another), wonIn(another)], 'lost'],
    ['opened after the first was lost', [{ ...lost(200), ...one }, disputedIn(another)], 'lost'],
  ])('counts beside the first of its payment: %s', (_case, events, state) => {
    const order = lived(pay, money(first), shipped, ...events)
    expect(order.dispute?.state).toBe(state)
    expect(isRevenue(order)).toBe(false)
  })

  it('stays closed when its beginning is reported after the end of another (I5)', () => {
    const order = lived(pay, money(first), wonIn(one), disputedIn(another), wonIn(another))
    expect(advance(order, disputedIn(one), 9_000).kind).toBe('same')
  })

  it('stops a refund that is due until it is won (O9)', () => {
    const due = lived(pay, money(first), refund)
    const stopped = orderOf(advance(due, disputed, 9_000))
    const progress = { paymentId: first, left: 500 }
    expect(refundProgress(due, stopped)).toEqual([{ ...progress, isStopped: true }])
    expect(refundProgress(stopped, orderOf(advance(stopped, won, 9_100)))).toEqual([{ ...progress, isStopped: false }])
    expect(refundProgress(stopped, orderOf(advance(stopped, lost(), 9_100)))).toMatchObject([{ left: 0 }])
  })
})
