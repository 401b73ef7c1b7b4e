import { describe, expect, it } from 'vitest'
import { parseShopperId } from '../../../core/ids.ts'
import { type OrderStatus, orderStatuses } from '../../../core/orders/order.ts'
import { advance, transitions } from '../../../core/orders/order-life.ts'
import { newOrder, rejectedOrder } from '../../../functions/orders/new-order.ts'
import { noCoupons } from '../../../proof/simulation/parts/coupons.ts'
import { stepsOf, timelineOf } from '../../../static/orders/steps.ts'
import { orderJson, orderWith } from './order.ts'

const now = (status: OrderStatus) => stepsOf(status, 'paid').find(({ state }) => state === 'now')?.key
const last = (status: OrderStatus) => stepsOf(status, 'paid').at(-1)

describe('the steps of an order', () => {
  it('show what is being waited for, and nothing where nothing is (O1, O8)', () => {
    const waited = Object.fromEntries(orderStatuses.map((status) => [status, now(status)]))
    expect(waited).toEqual({
      reserved: 'order.step.written',
      'awaiting-payment': 'order.step.payment',
      'refund-due': 'order.step.refund',
    })
  })

  it('never speak of a payment where nothing is to be paid', () => {
    const free = orderStatuses
      .filter((status) => !['awaiting-payment', 'paid', 'refund-due', 'refunded'].includes(status))
      .flatMap((status) => stepsOf(status, 'free').map(({ key }) => key))
    expect(free).not.toContain('order.step.payment')
    expect(stepsOf('reserved', 'free').at(-1)).toEqual({ key: 'order.step.free', state: 'next' })
  })

  it('go on to the doorstep once the order is shipped, paid or free', () => {
    const way = (bought: 'paid' | 'free') => stepsOf('shipped', bought).map(({ key, state }) => `${key} ${state}`)
    const sent = ['order.step.shipped done', 'order.step.delivered next']
    expect(way('paid')).toEqual(['order.step.paid done', ...sent])
    expect(way('free')).toEqual(['order.step.written done', ...sent])
    expect(last('delivered')).toEqual({ key: 'order.step.delivered', state: 'done' })
  })

  it('end with the codes where coupons are claimed', () => {
    expect(stepsOf('reserved', 'coupons').at(-1)).toEqual({ key: 'order.step.codes', state: 'next' })
    expect(stepsOf('fulfilled', 'coupons').at(-1)).toEqual({ key: 'order.step.codes', state: 'done' })
    expect(stepsOf('cancelled', 'coupons')).toEqual(stepsOf('cancelled', 'paid'))
  })

  it('end well, badly, or by a person’s wish', () => {
    expect(last('paid')).toEqual({ key: 'order.step.paid', state: 'done' })
    expect(last('fulfilled')).toEqual({ key: 'order.step.free', state: 'done' })
    expect(last('refunded')).toEqual({ key: 'order.step.refunded', state: 'done' })
    expect(last('rejected')).toEqual({ key: 'order.step.refused', state: 'failed' })
    expect(last('cancelled')).toEqual({ key: 'order.step.cancelled', state: 'ended' })
  })
})

const shopperId = parseShopperId('ann')
if (shopperId === undefined) throw new Error('ann is a shopper id')
const offer = {
  ...{ kind: 'goods' as const, title: 'Mug', price: 10, currency: 'EUR', stock: 5, limitPerShopper: 5 },
  ...{
    paymentWindowSeconds: 900,
    paymentGraceSeconds: 120,
    windows: [],
  },
}
const keys = (history: unknown) => timelineOf(orderWith({ history })).map(({ key }) => key)

describe('the timeline of an order', () => {
  it('tells what happened when, oldest first (O8)', () => {
    expect(timelineOf(orderWith())).toEqual([
      { at: 1000, key: 'order.event.reserved' },
      { at: 2000, key: 'order.event.written' },
    ])
  })

  it('has words of its own for every event of the table of steps', () => {
    for (const what of Object.keys(transitions)) {
      expect(keys([...orderJson.history, { at: 3000, what, status: 'cancelled' }]).at(-1)).toBe(`order.event.${what}`)
    }
  })

  it('has them for all else that the shop writes into a history', () => {
    const reservation = { ...orderWith(), shopperId }
    const fresh = newOrder(reservation, offer, 2000, noCoupons)
    const other = { kind: 'payment-succeeded', paymentId: 'x.1', amount: 1, currency: 'EUR' } as const
    const step = advance(fresh, other, 3000)
    if (step.kind !== 'moved') throw new Error('money is always recorded')
    const rejected = rejectedOrder(reservation, offer, 'undeliverable', 2000)
    const written = [...step.order.history, ...rejected.history]
    expect(new Set(written.map(({ what }) => what)).size).toBe(4)
    for (const entry of written) expect(keys([entry]).at(-1)).toBe(`order.event.${entry.what}`)
  })

  it('distinguishes a corrected tracking number from a shipment, and a refund of a shipped order from a cancellation', () => {
    const step = (what: string) => ({ at: 3000, what, status: 'shipped' })
    const all = [...orderJson.history, ...['shipped', 'shipped', 'refunded-by-marketer', 'refund-succeeded'].map(step)]
    expect(keys(all).slice(2)).toEqual([
      'order.event.shipped',
      'order.event.shipment-corrected',
      'order.event.refund-started',
      'order.event.refund-succeeded',
    ])
  })

  it('begins with the reservation even where the shop tells nothing of it yet', () => {
    expect(keys([])).toEqual(['order.event.reserved'])
    expect(keys(orderJson.history.slice(1))).toEqual(['order.event.reserved', 'order.event.written'])
  })

  it('tells what an older page has no words for by the status it led to', () => {
    const history = [...orderJson.history, { at: 3000, what: 'shipped-by-drone', status: 'fulfilled' }]
    expect(keys(history).at(-1)).toBe('order.status.fulfilled')
    expect(keys([...orderJson.history, { at: 3000, what: 'toString', status: 'paid' }]).at(-1)).toBe(
      'order.status.paid',
    )
  })
})
