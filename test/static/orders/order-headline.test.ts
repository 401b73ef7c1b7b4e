import { describe, expect, it } from 'vitest'
import { cancelReasons, orderStatuses, rejectReasons } from '../../../core/orders/order.ts'
import { stageOf } from '../../../core/orders/order-stage.ts'
import { readBilledOrder } from '../../../static/client/orders/bill.ts'
import { leadOf, payKeyOf } from '../../../static/client/orders/order-headline.ts'
import { ordersMessages } from '../../../static/messages/catalogues.ts'
import { orderWith, told, toldCoupons } from './order.ts'

const leadAt = (now: number, change: Record<string, unknown>, isCoupon: boolean) => {
  const order = orderWith(change)
  return leadOf(order, stageOf(order, now), isCoupon)
}
const lead = (change: Record<string, unknown>) => leadAt(2000, change, false)
const couponLead = (change: Record<string, unknown>, now = 2000) => leadAt(now, { ...toldCoupons, ...change }, true)

describe('what an order’s page says first', () => {
  it('is in the catalogue for every status and every way of paying', () => {
    for (const status of orderStatuses) {
      for (const payment of [undefined, 'started', 'failed', 'succeeded']) {
        for (const key of lead({ status, payment })) expect(ordersMessages).toHaveProperty([key])
      }
    }
  })

  it('names the reason and that nothing is charged, for every reason (O7, O9)', () => {
    for (const reason of rejectReasons) {
      expect(lead({ status: 'rejected', reason })).toEqual([`order.reason.${reason}`, 'order.money.none'])
    }
    for (const reason of cancelReasons) {
      expect(lead({ status: 'cancelled', reason })).toEqual([`order.reason.${reason}`, 'order.money.none'])
    }
  })

  it('promises the money back to a shopper whose payment may still arrive after the end (O8)', () => {
    expect(lead({ status: 'cancelled', reason: 'unpaid', payment: 'started' })).toEqual([
      'order.reason.unpaid',
      'order.money.stray',
    ])
  })

  it('tells where the money is once it goes back (O9)', () => {
    const refund = { reason: 'by-marketer', payment: 'succeeded' }
    expect(lead({ status: 'refund-due', ...refund })).toEqual(['order.reason.by-marketer', 'order.money.due'])
    expect(lead({ status: 'refunded', ...refund })).toEqual(['order.reason.by-marketer', 'order.money.back'])
  })

  it('speaks of coupons and not of money to whom they were given (S7)', () => {
    expect(couponLead({ status: 'reserved' })).toEqual(['coupon.lead.reserved'])
    expect(couponLead({})).toEqual(['coupon.lead.fulfilled'])
    expect(couponLead({}, toldCoupons.validUntil)).toEqual(['order.lead.expired'])
    expect(couponLead({ status: 'cancelled', reason: 'by-marketer' })).toEqual([
      'order.reason.by-marketer',
      'coupon.void',
    ])
    for (const reason of rejectReasons) {
      const [first, ...more] = couponLead({ status: 'rejected', reason })
      expect(first).toBe(reason === 'over-limit' ? 'coupon.over-limit' : `order.reason.${reason}`)
      expect(more).toEqual([])
    }
  })

  it('asks for a payment again after one that failed', () => {
    expect(lead({ payment: 'failed' })).toEqual(['order.lead.pay-again'])
    expect(lead({ payment: 'started' })).toEqual(['order.lead.paying'])
  })
})

describe('the pay button of an order', () => {
  const label = (change: Record<string, unknown>, doing?: 'pay' | 'change-address') => {
    const order = orderWith(change)
    return payKeyOf(order, stageOf(order, 2000), doing)
  }

  it('says that a missing address comes first, also behind the form of the address (O8)', () => {
    expect(label({ delivery: 'missing' })).toBe('order.addressFirst')
    expect(label({ delivery: 'missing' }, 'change-address')).toBe('order.addressFirst')
    expect(label({ delivery: 'missing', payment: 'started' })).toBe('order.addressFirst')
  })

  it('asks for the address alone where the bill comes before the payment', () => {
    const bill = { goods: 3980, delivery: null, total: 3980 } as const
    const asked = { ...orderWith({ delivery: 'missing' }), bill }
    expect(payKeyOf(asked, 'to-pay', undefined)).toBe('bill.addressNext')
    const free = { ...asked, bill: { ...bill, delivery: 0 } } as const
    expect(payKeyOf(free, 'to-pay', undefined)).toBe('order.addressFirst')
    expect([
      readBilledOrder({ ...told, bill })?.bill,
      readBilledOrder({ ...told, bill: { goods: 3980 } })?.bill,
    ]).toEqual([bill, undefined])
  })

  it('says what a press pays, goes on with, or is opening (O8)', () => {
    expect(label({ delivery: 'stored' })).toBe('bill.order')
    expect(label({})).toBe('bill.order')
    expect(label({ payment: 'started' })).toBe('order.payOn')
    expect(label({ delivery: 'stored' }, 'pay')).toBe('order.payBusy')
  })
})
