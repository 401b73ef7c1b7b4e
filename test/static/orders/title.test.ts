/** The headline of an order's page: shoppers act on it, so it claims no more than is known. */
import { describe, expect, it } from 'vitest'
import { stageOf } from '../../../core/orders/order-stage.ts'
import { leadOf, titleKeyOf } from '../../../static/client/orders/order-headline.ts'
import { ordersMessages } from '../../../static/messages/catalogues.ts'
import { words } from '../../../static/messages/text.ts'
import { orderWith, told } from './order.ts'

const bothOf = (key: keyof typeof ordersMessages) =>
  ['en', 'zh-CN'].map((language) => words(ordersMessages[key], language))

/** What an order says first, in English and Chinese. */
function saidOf(change: Record<string, unknown>, now = told.payBy - 1) {
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
    for (const now of [told.payBy - 1, told.payBy]) {
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
