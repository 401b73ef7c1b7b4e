import { describe, expect, it } from 'vitest'
import { holdsUnits, type Order, type OrderStatus, orderStatuses } from '../../core/order.ts'
import {
  advance,
  captureMs,
  type LifeEvent,
  type LifeStep,
  paymentIdOf,
  settlementOf,
  transitions,
} from '../../core/order-life.ts'
import { newOrder } from '../../functions/orders/new-order.ts'
import { noCoupons } from '../../simulation/memory/counted-coupons.ts'
import { aSale, orderIdOf, shopperIdOf } from '../redis/support.ts'

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

describe('paying', () => {
  it('keeps the units for a payment in progress, for the grace period and no longer (O8)', () => {
    const order = lived(pay)
    expect(order).toMatchObject({
      status: 'awaiting-payment',
      payBy,
      cancelAt: payBy + graceMs,
      payment: { paymentId: first, attempt: 1, startedAt: 7_000, state: 'started' },
    })
    expect(advance(order, timer, payBy)).toEqual({ kind: 'not-yet', at: payBy + graceMs })
    expect(orderOf(advance(order, timer, payBy + graceMs)).status).toBe('cancelled')
  })

  it('is one payment however often it is started (I5)', () => {
    expect(advance(lived(pay), pay, 8_000)).toEqual({ kind: 'same' })
    expect(advance(lived(pay), pay, payBy + 1), 'also when the time is over').toEqual({ kind: 'same' })
  })

  it('cannot start when the time is over, to the millisecond (O8)', () => {
    expect(advance(written, pay, payBy - 1).kind).toBe('moved')
    expect(advance(written, pay, payBy)).toEqual({ kind: 'too-late' })
  })

  it('may be tried again once it has failed, and has no grace period in between', () => {
    const order = lived(pay, failed(first))
    expect(order).toMatchObject({ cancelAt: payBy, payment: { paymentId: first, state: 'failed' } })
    expect(lived(pay, failed(first), pay).payment).toMatchObject({ paymentId: second, attempt: 2 })
  })

  it('does not fail by an attempt that is over or not its own', () => {
    expect(advance(lived(pay), failed(second), 9_000)).toEqual({ kind: 'same' })
    expect(advance(lived(pay, failed(first)), failed(first), 9_000)).toEqual({ kind: 'same' })
    expect(advance(lived(pay, money(first)), failed(first), 9_000)).toEqual({ kind: 'same' })
  })

  it.each([
    ['paid', lived(money(first))],
    ['cancelled', lived(cancel)],
    ['refund-due', lived(money(first), refund)],
  ])('is refused when the order is %s', (_status, order) => {
    expect(advance(order, pay, 9_000)).toEqual({ kind: 'refused' })
  })
})

describe('money', () => {
  it('pays the order, from any attempt, also one that was reported as failed', () => {
    expect(lived(pay, money(first))).toMatchObject({ status: 'paid', payment: { state: 'succeeded' } })
    expect(lived(pay, failed(first), pay, money(first))).toMatchObject({
      status: 'paid',
      payment: { paymentId: first, state: 'succeeded' },
    })
  })

  it('counts until the order is cancelled, however late it is (O8)', () => {
    expect(orderOf(advance(lived(pay), money(first), payBy + graceMs + 1)).status).toBe('paid')
  })

  it('is refunded when the order was cancelled before, and gives it no unit (O8, O9)', () => {
    const step = advance(lived(pay, timer), money(first), payBy + graceMs + 1)
    expect(step).toMatchObject({
      kind: 'moved',
      order: { status: 'refund-due', reason: 'unpaid', refunds: [owed(first)] },
      refund: { paymentId: first, amount: 500, currency: 'CNY' },
    })
  })

  it('counts once, however often it is reported (I5)', () => {
    expect(advance(lived(money(first)), money(first), 9_000)).toEqual({ kind: 'same' })
    expect(advance(lived(cancel, money(first)), money(first), 9_000)).toEqual({ kind: 'same' })
    expect(advance(lived(cancel, money(first), back(first)), money(first), 9_000)).toEqual({ kind: 'same' })
  })

  it('that one payment reports twice, with two amounts, is not mistaken for a repeat', () => {
    const before = { paymentId: first, amount: 500, currency: 'CNY' }
    const other = { kind: 'same', before }
    expect(advance(lived(money(first)), money(first, 700), 9_000)).toEqual(other)
    expect(advance(lived(money(first)), money(first, 500, 'EUR'), 9_000)).toEqual(other)
    expect(advance(lived(cancel, money(first)), money(first, 1), 9_000)).toEqual(other)
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
  it('happens when the time is over, to the millisecond, and not before (O8)', () => {
    expect(advance(written, timer, payBy - 1)).toEqual({ kind: 'not-yet', at: payBy })
    expect(orderOf(advance(written, timer, payBy))).toMatchObject({ status: 'cancelled', reason: 'unpaid' })
  })

  it.each([
    ['paid', lived(money(first))],
    ['cancelled', lived(cancel)],
    ['refund-due', lived(money(first), refund)],
    ['refunded', lived(money(first), refund, back(first))],
  ])('by the timer does not affect an order that is %s (O8)', (_status, order) => {
    expect(advance(order, timer, payBy + graceMs)).toEqual({ kind: 'same' })
  })

  it('is the shopper’s right until the payment arrives, also with one in progress', () => {
    expect(lived(cancel)).toMatchObject({ status: 'cancelled', reason: 'by-shopper' })
    expect(lived(pay, cancel).status).toBe('cancelled')
    expect(advance(lived(cancel), cancel, 9_000)).toEqual({ kind: 'same' })
    expect(advance(lived(money(first)), cancel, 9_000)).toEqual({ kind: 'refused' })
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
    expect(advance(orderOf(step), refund, 9_500)).toEqual({ kind: 'same' })
  })

  it('of an order without a payment only cancels it', () => {
    const step = advance(written, refund, 9_000)
    expect(step).toMatchObject({ kind: 'moved', order: { status: 'cancelled', reason: 'by-marketer' } })
    expect(step).not.toHaveProperty('refund')
    expect(advance({ ...written, status: 'fulfilled' }, refund, 9_000)).toMatchObject({
      order: { status: 'cancelled' },
    })
  })

  it('is refused when there is nothing to refund', () => {
    expect(advance(lived(cancel), refund, 9_000)).toEqual({ kind: 'refused' })
    expect(advance({ ...written, status: 'rejected', reason: 'over-cap' }, refund, 9_000)).toEqual({
      kind: 'refused',
    })
  })

  it('is done by the money of the order, not by other money that was refunded before', () => {
    const order = lived(pay, money(first), money(second), refund)
    expect(order.refunds).toEqual([owed(second), owed(first)])
    expect(orderOf(advance(order, back(second), 9_000)).status).toBe('refund-due')
    expect(orderOf(advance(order, back(first), 9_000)).status).toBe('refunded')
  })
})

describe('shipping (N2)', () => {
  const shipped: LifeEvent = { kind: 'shipped', carrier: 'DHL', tracking: '1' }
  const delivered: LifeEvent = { kind: 'delivered' }
  const free = { ...written, status: 'fulfilled', amount: 0 } as const

  it('begins with a paid or a free order, and with no other', () => {
    expect(orderOf(advance(lived(money(first)), shipped, 9_000))).toMatchObject({
      status: 'shipped',
      shipment: { carrier: 'DHL', tracking: '1' },
    })
    expect(orderOf(advance(free, shipped, 9_000)).status).toBe('shipped')
    for (const status of orderStatuses) {
      const step = advance({ ...written, status }, shipped, 9_000)
      const mayShip = ['paid', 'fulfilled', 'shipped'].includes(status)
      expect(step.kind, status).toBe(mayShip ? 'moved' : 'refused')
    }
  })

  it('is not for coupons', () => {
    const coupons = { ...free, coupons: [] }
    expect(advance(coupons, shipped, 9_000)).toEqual({ kind: 'refused' })
  })

  it('changes nothing when it is reported again, and corrects the number until it is delivered (I5)', () => {
    const order = lived(money(first), shipped)
    expect(advance(order, shipped, 9_000)).toEqual({ kind: 'same' })
    const corrected = orderOf(advance(order, { kind: 'shipped', carrier: 'UPS' }, 9_000))
    expect(corrected).toMatchObject({ status: 'shipped', shipment: { carrier: 'UPS' } })
    expect(corrected.shipment).not.toHaveProperty('tracking')
    const arrived = orderOf(advance(order, delivered, 9_000))
    expect(arrived.status).toBe('delivered')
    expect(advance(arrived, shipped, 9_500)).toEqual({ kind: 'same' })
    expect(advance(arrived, { ...shipped, tracking: '2' }, 9_500)).toEqual({ kind: 'refused' })
    expect(advance(arrived, delivered, 9_500)).toEqual({ kind: 'same' })
    expect(advance(lived(money(first)), delivered, 9_000)).toEqual({ kind: 'refused' })
  })

  it.each([
    ['shipped', [shipped]],
    ['delivered', [shipped, delivered]],
  ] as const)(
    'leaves an order %s when the marketer refunds it, and owes its money once (I1, I5)',
    (status, sent) => {
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
    },
  )

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

  it('keeps the shopper from cancelling', () => {
    expect(advance(lived(money(first), shipped), cancel, 9_000)).toEqual({ kind: 'refused' })
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
    expect(order.history.map(({ at }) => at)).toEqual([
      5_000, 6_000, 7_000, 8_000, 9_000, 10_000, 11_000, 12_000,
    ])
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
  it('is noted in the history of the order and changes nothing else', () => {
    const paid = lived(pay, money(first))
    const { history, ...rest } = orderOf(advance(paid, { kind: 'payment-disputed', paymentId: first }, 9_000))
    expect(history.at(-1)).toEqual({ at: 9_000, what: 'payment-disputed', status: 'paid' })
    const { history: _, ...before } = paid
    expect(rest).toEqual(before)
  })
})
