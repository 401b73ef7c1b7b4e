/** Texts of the simulated provider's page. */
import type { Messages } from './text.ts'

export const paymentTexts = {
  title: ['Test payment', '模拟付款'],
  simulated: ['Simulated payment provider', '模拟支付平台'],
  stripe: ['Simulated Stripe', '模拟 Stripe'],
  open: ['Pay {amount}', '付款 {amount}'],
  openLead: [
    'This is a simulation: no money moves. Choose the result of the payment.',
    '这是模拟付款，不会真实扣款。请选择要通知商家的付款结果。',
  ],
  product: ['Product', '商品'],
  order: ['Order number', '订单号'],
  payment: ['Payment ID', '付款单号'],
  pay: ['Payment succeeds', '模拟付款成功'],
  fail: ['Payment fails', '模拟付款失败'],
  later: ['Payment succeeds after 10 s', '模拟延迟到账（10 秒）'],
  undelivered: [
    'The shop hasn’t been notified yet. This page tries again every few seconds.',
    '商家尚未收到通知，本页面每隔几秒会重新发送。',
  ],
  back: ['Back to order', '返回订单'],
  late: ['Payment time expired', '付款已超时'],
  lateLead: [
    'The shop is no longer waiting for this payment. You weren’t charged.',
    '商家已不再接收这笔付款，未扣款。',
  ],
  'on-its-way': ['Payment processing', '付款处理中'],
  'on-its-wayLead': [
    'You paid {amount}. The shop is notified in a few seconds.',
    '您已付款 {amount}，商家将在几秒后收到通知。',
  ],
  authorised: ['Payment authorized', '付款已授权'],
  authorisedLead: [
    'You’re charged {amount} as soon as the shop confirms your order.',
    '商家确认订单后将扣款 {amount}。',
  ],
  captured: ['Payment successful', '付款成功'],
  capturedLead: ['You paid {amount}, and the shop was notified.', '您已付款 {amount}，已通知商家。'],
  released: ['Payment canceled', '付款已取消'],
  releasedLead: [
    'You weren’t charged: the shop could no longer accept this payment.',
    '未扣款：商家已无法接受这笔付款。',
  ],
  failed: ['Payment failed', '付款失败'],
  failedLead: [
    'You weren’t charged, and the shop was notified. You can try again from the order.',
    '未扣款，已通知商家。可返回订单重新付款。',
  ],
  none: ['Nothing to pay', '没有待付款项'],
  noneLead: [
    'This order has no open payment. Go back to the order and press Pay again.',
    '该订单没有进行中的付款，请返回订单重新点击付款。',
  ],
} as const satisfies Messages

export type PaymentText = keyof typeof paymentTexts
