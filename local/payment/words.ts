/** Words of the payment page, English and Simplified Chinese side by side. */
import type { Messages } from '../../static/messages/text.ts'

export const words = {
  title: ['Test payment', '模拟付款'],
  kicker: ['Simulated payment provider', '模拟支付平台'],
  open: ['Pay {amount}', '支付 {amount}'],
  openLead: [
    'No money moves here. You decide what the shop is told about this payment.',
    '这里不会发生真实扣款，由您决定商店收到怎样的付款结果。',
  ],
  order: ['Order number', '订单号'],
  payment: ['Payment number', '支付单号'],
  pay: ['Pay', '付款'],
  fail: ['Let it fail', '让付款失败'],
  later: ['Pay later (in 10 s)', '稍后付款（10 秒后）'],
  back: ['Back to the order', '返回订单'],
  late: ['Too late', '已超时'],
  lateLead: [
    'The shop stopped waiting for this payment. Nothing was taken.',
    '商店已不再等待这笔付款，未扣取任何费用。',
  ],
  'on-its-way': ['On its way', '付款处理中'],
  'on-its-wayLead': [
    'You paid {amount}. The shop hears of it in a few seconds.',
    '您已支付 {amount}，商店将在几秒后收到通知。',
  ],
  succeeded: ['Paid', '付款成功'],
  succeededLead: ['You paid {amount}, and the shop was told.', '您已支付 {amount}，已通知商店。'],
  failed: ['The payment failed', '付款失败'],
  failedLead: [
    'Nothing was taken, and the shop was told. Try again from the order.',
    '未扣取任何费用，已通知商店。可在订单页重新付款。',
  ],
  none: ['Nothing to pay here', '没有待付款项'],
  noneLead: [
    'No payment is open for this order. Go back to it and press Pay once more.',
    '该订单没有进行中的付款，请返回订单页重新点击付款。',
  ],
} as const satisfies Messages

export type Key = keyof typeof words
