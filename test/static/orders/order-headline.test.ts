/** The headline of an order's page: shoppers act on it, so it claims no more than is known. */
import { describe, expect, it } from 'vitest'
import { cancelReasons, rejectReasons } from '../../../core/orders/order.ts'
import { stageOf } from '../../../core/orders/order-stage.ts'
import { readBilledOrder } from '../../../static/orders/bill.ts'
import { leadOf, payKeyOf, titleKeyOf } from '../../../static/orders/order-headline.ts'
import { ordersMessages } from '../../../templates/messages/catalogues.ts'
import { words } from '../../../templates/messages/text.ts'
import { couponOrderJson, orderJson, orderWith } from './order.ts'

const leadAt = (now: number, change: Record<string, unknown>, isCoupon: boolean) => {
  const order = orderWith(change)
  return leadOf(order, stageOf(order, now), isCoupon)
}
const lead = (change: Record<string, unknown>) => leadAt(2000, change, false)
const couponLead = (change: Record<string, unknown>, now = 2000) => leadAt(now, { ...couponOrderJson, ...change }, true)

describe('what an order’s page says first', () => {
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
    expect(couponLead({}, couponOrderJson.validUntil)).toEqual(['order.lead.expired'])
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
      readBilledOrder({ ...orderJson, bill })?.bill,
      readBilledOrder({ ...orderJson, bill: { goods: 3980 } })?.bill,
    ]).toEqual([bill, undefined])
  })

  it('says what a press pays, goes on with, or is opening (O8)', () => {
    expect(label({ delivery: 'stored' })).toBe('bill.order')
    expect(label({})).toBe('bill.order')
    expect(label({ payment: 'started' })).toBe('order.payOn')
    expect(label({ delivery: 'stored' }, 'pay')).toBe('order.payBusy')
  })
})

const bothOf = (key: keyof typeof ordersMessages) =>
  ['en', 'zh-CN'].map((language) => words(ordersMessages[key], language))

/** The headline of an order, in English and Chinese. */
function saidOf(change: Record<string, unknown>, now = orderJson.payBy - 1) {
  const order = orderWith(change)
  const stage = stageOf(order, now)
  const title = bothOf(titleKeyOf(order, stage, false))
  return { title, lead: leadOf(order, stage, false).flatMap(bothOf).join(' ') }
}

describe('the headline of an order', () => {
  it('does not call an order confirmed that is not paid, or whose payment failed', () => {
    for (const payment of [undefined, 'started', 'failed']) {
      expect(saidOf({ payment }).title.join()).not.toMatch(/confirmed|订单已确认/)
    }
    expect(saidOf({}).title).toEqual(['Pay to complete your order', '抢购成功，请尽快付款'])
    expect(saidOf({ payment: 'failed' }).title).toEqual(['Payment failed', '付款失败，请重新付款'])
    expect(bothOf('order.step.written')).toEqual(['Order created', '订单生成'])
    expect(bothOf('order.event.written')).toEqual(['Order created', '订单已生成'])
  })

  it('does not say that a payment is on its way after Back from the provider without paying', () => {
    for (const now of [orderJson.payBy - 1, orderJson.payBy]) {
      const { title, lead } = saidOf({ payment: 'started' }, now)
      expect(title).toEqual(['Payment not complete yet', '付款尚未完成'])
      expect(lead).not.toMatch(/on its way|Your payment is being processed|付款正在进行/)
      expect(lead).toMatch(/If you have paid.*如果您已付款/)
    }
  })

  it('of a cancelled order promises a refund only where a payment may still come (O8)', () => {
    expect(saidOf({ status: 'cancelled', reason: 'unpaid', payment: 'started' })).toMatchObject({
      title: ['Order cancelled', '订单已取消'],
      lead: expect.stringMatching(/refund it in full.*全额退款/),
    })
    expect(saidOf({ status: 'cancelled', reason: 'unpaid' }).lead).toMatch(/won’t be charged/)
  })
})
