import { describe, expect, it } from 'vitest'
import { type OrderStatus, orderStatuses } from '../../../core/orders/order.ts'
import { stepsOf } from '../../../static/client/orders/steps.ts'

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

  it('end well, badly, or by somebody’s wish', () => {
    expect(last('paid')).toEqual({ key: 'order.step.paid', state: 'done' })
    expect(last('fulfilled')).toEqual({ key: 'order.step.free', state: 'done' })
    expect(last('refunded')).toEqual({ key: 'order.step.refunded', state: 'done' })
    expect(last('rejected')).toEqual({ key: 'order.step.refused', state: 'failed' })
    expect(last('cancelled')).toEqual({ key: 'order.step.cancelled', state: 'ended' })
  })
})
