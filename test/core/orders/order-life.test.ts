/** Tests what order-life-table.test.ts does not show: times, attempts, reasons, references, shipments and disputes. */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Order } from '../../../core/orders/order.ts'
import {
  advance,
  captureMs,
  type LifeEvent,
  type LifeStep,
  paymentIdOf,
  settlementOf,
} from '../../../core/orders/order-life.ts'
import { moneyStateOfOrder } from '../../../core/orders/order-standing.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { paidItems } from '../../../functions/table/orders/paid-orders.ts'
import { reportedOrder } from '../../../functions/table/orders/reported-order.ts'
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
const back = (paymentId: string, amount = 500): LifeEvent => {
  return { kind: 'refund-succeeded', paymentId, amount, currency: 'CNY' }
}
/** An entry of the order's refunds. */
const owed = (paymentId: string, amount = 500, returned = 0) => ({ paymentId, amount, currency: 'CNY', returned })
const money = (paymentId: string, amount = 500, currency = 'CNY'): LifeEvent => {
  return { kind: 'payment-succeeded', paymentId, amount, currency }
}

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

const shipped: LifeEvent = { kind: 'shipped', carrier: 'DHL', tracking: '1' }
const paid = lived(money(first))
const late = payBy + graceMs

it.each<[string, Order, object, number]>([
  ['before its time', written, { kind: 'not-yet', at: payBy }, payBy - 1],
  ['during a payment (O8)', lived(pay), { kind: 'not-yet', at: late }, payBy],
])('the timer has to wait %s', (_, order, answer, now) => {
  expect(advance(order, timer, now)).toEqual(answer)
})

describe('paying', () => {
  it('keeps the units for a payment in progress, for the grace period and no longer (O8)', () => {
    const order = lived(pay)
    expect(order).toMatchObject({
      status: 'awaiting-payment',
      payBy,
      cancelAt: late,
      payment: { paymentId: first, attempt: 1, startedAt: 7_000, state: 'started' },
    })
    expect(orderOf(advance(order, timer, late)).status).toBe('cancelled')
    expect(advance(written, pay, payBy - 1).kind).toBe('moved')
  })

  it('is stored only with an address, where the order needs one', () => {
    const needing = advance(written, { kind: 'payment-started', graceMs, needsDelivery: true }, 7_000)
    expect(needing).toMatchObject({ kind: 'moved', needsDelivery: true })
    expect(advance(written, pay, 7_000)).not.toHaveProperty('needsDelivery')
  })

  it('may be tried again once it has failed, and has no grace period in between', () => {
    const order = lived(pay, failed(first))
    expect(order).toMatchObject({ cancelAt: payBy, payment: { paymentId: first, state: 'failed' } })
    expect(lived(pay, failed(first), pay).payment).toMatchObject({ paymentId: second, attempt: 2 })
  })
})

describe('money', () => {
  it.each<[string, Order, LifeEvent]>([
    ['its payment', paid, money(first, 700)],
    ['its payment in another currency', paid, money(first, 500, 'EUR')],
    ['its owed payment', lived(cancel, money(first)), money(first, 1)],
  ])('that is reported again with another sum counts as it came first: %s', (_, order, event) => {
    const before = { paymentId: first, amount: 500, currency: 'CNY' }
    expect(advance(order, event, 9_000)).toEqual({ kind: 'same', before })
  })

  it('that is too much is refunded as it came, and the shopper may try once more', () => {
    const step = advance(lived(pay), money(first, 501), 9_000)
    expect(step).toMatchObject({
      order: { status: 'awaiting-payment', refunds: [owed(first, 501)] },
      refund: { paymentId: first, amount: 501, currency: 'CNY' },
    })
    const payment = { paymentId: second, state: 'started' }
    expect(orderOf(advance(orderOf(step), pay, 10_000)).payment).toMatchObject(payment)
  })
})

it.each<[string, LifeEvent[]]>([
  ['unpaid', [timer]],
  ['by-shopper', [cancel]],
  ['by-marketer', [refund]],
  ['by-marketer', [money(first), refund, back(first)]],
  ['unpaid', [timer, money(first), back(first)]],
])('an order that ended has the reason of its end: %s', (reason, events) => {
  expect(lived(...events).reason).toBe(reason)
})

describe('shipping (N2)', () => {
  it('may be corrected until it is delivered (I5)', () => {
    const order = lived(money(first), shipped)
    expect(order.shipment).toMatchObject({ carrier: 'DHL', tracking: '1' })
    const { shipment } = orderOf(advance(order, { kind: 'shipped', carrier: 'UPS' }, 9_000))
    expect(shipment).toMatchObject({ carrier: 'UPS' })
    expect(shipment).not.toHaveProperty('tracking')
  })

  it('is not undone by a refund, which may come in parts (O9, I1, I5)', () => {
    const part = lived(money(first), shipped, back(first, 200))
    expect(advance(part, refund, 9_500)).toMatchObject({ refund: { amount: 300 }, order: { status: 'shipped' } })
    const due = lived(money(first), shipped, refund, back(first, 200))
    expect(due).toMatchObject({ status: 'shipped', refunds: [owed(first, 500, 200)] })
    const all = orderOf(advance(due, back(first, 300), 19_700))
    expect(all).toMatchObject({ status: 'shipped', refunds: [owed(first, 500, 500)] })
    expect(all.history.at(-1)).toMatchObject({ what: 'refund-succeeded', status: 'shipped' })
  })
})

it('the history contains every step of an order, the oldest first, and none twice', () => {
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
    expect(advance(order, timer, order.cancelAt - 1)).toEqual({ kind: 'not-yet', at: order.cancelAt })
    expect(settlementOf(order, first, order.cancelAt - 1), 'shortly before').toBe('wait')
  })

  it.each([
    ['in another currency', lived(pay), authorised(first, { currency: 'USD' })],
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

  it('gives the money that came the reference by which it is refunded', () => {
    const paid = lived(pay, authorised(first, { reference }), money(first))
    expect(paid).toMatchObject({ status: 'paid', payment: { reference } })
    expect(advance(paid, refund, 9_000)).toMatchObject({ refund: { paymentId: first, reference } })
  })

  it('that is accepted in the first minute leaves the whole time to pay when it is not captured (O8)', () => {
    const fifteen = { ...written, payBy: writtenAt + 900_000, cancelAt: writtenAt + 900_000 }
    const order = orderOf(advance(fifteen, authorised(first), writtenAt + 60_000))
    expect(advance(order, timer, writtenAt + 360_000)).toEqual({ kind: 'not-yet', at: fifteen.payBy })
  })

  it('that is not captured lets the shopper pay again, for as long as there was (O8)', () => {
    const order = lived(pay, authorised(first), { ...failed(first), isReleased: true } as LifeEvent)
    expect(order).toMatchObject({ payment: { state: 'failed' }, cancelAt: order.payBy })
    expect(orderOf(advance(order, pay, 9_000)).payment?.paymentId).toBe(second)
  })

  it('of an earlier attempt counts like that of the last', () => {
    const order = lived(pay, failed(first), pay, authorised(first))
    expect(settlementOf(order, first, 9_000)).toBe('capture')
    expect(settlementOf(order, second, 9_000)).toBe('release')
  })
})

describe('what the provider reports, in any order', () => {
  const cny = { currency: 'CNY' }
  const lost = (disputeId: string, paymentId: string, amount: number): LifeEvent => {
    return { kind: 'dispute-lost', disputeId, paymentId, amount, ...cny }
  }
  const opened: LifeEvent = { kind: 'payment-disputed', paymentId: first, disputeId: 'du_1' }
  /** Also money of a second payment, which is too little to pay the order. */
  const reports: readonly LifeEvent[] = [
    { kind: 'payment-authorised', paymentId: first, amount: 500, ...cny },
    failed(first),
    money(first),
    back(first, 200),
    back(first, 300),
    { kind: 'refund-failed', paymentId: first, ...cny },
    ...[opened, { ...opened, kind: 'dispute-won' } as const, lost('du_1', first, 400)],
    money(second, 499),
  ]
  const begun = lived(pay)
  const starts: [string, Order][] = [
    ['unpaid', written],
    ['being paid', begun],
    ['cancelled', lived(pay, cancel)],
    ['free', { ...written, amount: 0, status: 'fulfilled' }],
    ['paid', lived(pay, money(first))],
    ['to be refunded', lived(pay, money(first), refund)],
    ['sent', lived(money(first), shipped)],
    ['sent, to be refunded', lived(money(first), shipped, refund)],
  ]
  const next = (order: Order, event: LifeEvent) => {
    const step = advance(order, event, 9_000)
    return step.kind === 'moved' ? step.order : order
  }
  /** All of an order, its report and the counts of its sale, but the steps and their times, which are as they came. */
  const endOf = (order: Order) => {
    const { history: _, cancelAt: _end, refunds, otherDisputes, ...rest } = order
    const { paidAt, endedAt, ...reported } = reportedOrder(order)
    const counted = paidItems('table', [{ from: written, to: order }])
    const canShip = advance(order, shipped, 9_100).kind
    const times = [paidAt, endedAt].map((at) => at !== undefined)
    return { rest, refunds: sorted(refunds), disputes: sorted(otherDisputes), reported, counted, canShip, times }
  }
  const sorted = <Of extends { paymentId: string }>(all: readonly Of[] = []) =>
    all.toSorted((a, b) => a.paymentId.localeCompare(b.paymentId))

  it.each(starts)('lead an order that is %s to one end (I5)', (_, start) => {
    // All permutations: the end of a set follows from those of the sets that lack one of its reports.
    const ends = [start]
    for (let set = 1; set < 2 ** reports.length; set += 1) {
      const isIn = (at: number) => (set & (2 ** at)) > 0
      const reached = reports.flatMap((event, at) => (isIn(at) ? [next(ends[set - 2 ** at] ?? start, event)] : []))
      const [one = start] = reached
      const again = reports.filter(({ kind }, at) => isIn(at) && kind !== 'refund-succeeded')
      const others = [...reached, ...again.map((event) => next(one, event))].map(endOf)
      const different = others.find((end) => !isDeepStrictEqual(end, endOf(one)))
      const kinds = reports.filter((_event, at) => isIn(at)).map(({ kind }) => kind)
      if (different !== undefined) expect(different, kinds.join()).toEqual(endOf(one))
      ends.push(one)
    }
  })
})

describe('a disputed payment', () => {
  const disputed = (id: object = {}): LifeEvent => ({ kind: 'payment-disputed', paymentId: first, ...id })
  const won = (id: object = {}): LifeEvent => ({ kind: 'dispute-won', paymentId: first, ...id })
  const lost = (amount = 500, id: object = {}): LifeEvent => {
    return { kind: 'dispute-lost', paymentId: first, amount, currency: 'CNY', ...id }
  }
  const [one, another] = [{ disputeId: 'du_1' }, { disputeId: 'constructor' }]

  it('is marked at its order, and changes nothing else of it', () => {
    const { history, dispute, ...rest } = orderOf(advance(paid, disputed(), 9_000))
    expect(history.at(-1)).toEqual({ at: 9_000, what: 'payment-disputed', status: 'paid' })
    expect(dispute).toEqual({ paymentId: first, state: 'open', at: 9_000, each: { [first]: 'open' } })
    const { history: _, ...before } = paid
    expect(rest).toEqual(before)
  })

  it('that is lost with a sum that cannot be counted is reported', () => {
    const step = advance(lived(money(first), disputed()), lost(520), 9_000)
    expect(step).toMatchObject({ kind: 'moved', mismatch: { reported: { amount: 520 } } })
  })

  it.each<[string, LifeEvent[], string]>([
    ['is open', [disputed()], 'open'],
    ['is won', [disputed(), won()], 'won'],
    ['is lost', [disputed(), lost()], 'lost'],
    ['is lost with a sum that cannot be counted', [disputed(), lost(520)], 'lost'],
    ['follows a won one', [disputed(one), won(one), disputed(another)], 'open'],
    ['follows a won one and is won', [disputed(one), won(one), disputed(another), won(another)], 'won'],
    ['opened before the first has ended', [disputed(one), disputed(another), won(one)], 'open'],
    ['is won, with the first opened too', [disputed(one), disputed(another), won(another)], 'open'],
    ['is won after the first was lost', [lost(500, one), disputed(another), won(another)], 'lost'],
    ['opened after the first was lost', [lost(200, one), disputed(another)], 'lost'],
  ])('that %s lets its order be refunded, sent and counted only when all are won', (_case, events, state) => {
    const order = lived(money(first), shipped, ...events)
    expect(order.dispute?.state).toBe(state)
    expect(moneyStateOfOrder(order) === 'paid').toBe(state === 'won')
    const unsent = { ...order, status: 'paid' } as const
    for (const event of [refund, { kind: 'shipped', carrier: 'UPS' }] as const) {
      expect(advance(unsent, event, 9_100).kind === 'moved', event.kind).toBe(state === 'won')
    }
  })

  it.each([
    ['last', [won()], disputed()],
    ['after the end of another', [won(one), disputed(another), won(another)], disputed(one)],
  ])('stays closed when its beginning is reported %s (I5)', (_when, events, begun) => {
    expect(advance(lived(money(first), ...events), begun, 9_000).kind).toBe('same')
  })
})
