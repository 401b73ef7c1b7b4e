/** Words of the sale page. */
import { openingMessages } from './opening.ts'
import type { Messages } from './text.ts'

export const saleMessages = {
  ...openingMessages,
  'button.ready': ['Buy now', '立即抢购'],
  'button.won': ['Yours', '已抢到'],
  'stock.left': ['{remaining} left', '剩余 {remaining} 件'],
  'stock.ready': ['{remaining} to be sold', '共 {remaining} 件'],
  'stock.unlimited': ['In stock', '库存充足'],
  'quantity.label': ['Quantity', '数量'],
  'quantity.less': ['One fewer', '减少一件'],
  'quantity.more': ['One more', '增加一件'],
  'quantity.total': ['Total {amount}', '合计 {amount}'],
  'status.sending': ['Asking for yours …', '正在为您抢购…'],
  'status.won': ['You got it! Opening your order…', '抢到了！正在为您打开订单…'],
  'status.repeat': ['You already had this one. Taking you to your order …', '您之前已抢到，正在前往订单…'],
  'status.fewerLeft': [
    'Only {remaining} left. Lower the quantity and try again.',
    '仅剩 {remaining} 件，请减少数量后重试。',
  ],
  'status.checking': [
    'Connection lost. Checking whether your order went through…',
    '网络中断，正在确认您是否抢到…',
  ],
  'status.unsure': [
    'We couldn’t confirm the result. Try again: it never creates a second order.',
    '暂时无法确认结果，请再试一次，不会重复下单。',
  ],
  'status.noOrder': ['That attempt didn’t create an order.', '已确认：刚才没有生成订单。'],
  'status.open': ['It is open. Good luck!', '开始了，祝您好运！'],
  'status.returned': ['Units came back: {remaining} left.', '有商品退回：剩余 {remaining} 件。'],
  'status.gone': [
    'Your earlier order is no longer valid. You can order again.',
    '您之前的订单已失效，可以重新抢购。',
  ],
  'status.soldOut': [
    'All gone, 0 left. We keep looking: if units come back, the button lights up again.',
    '已抢完，剩余 0 件。如有退回，按钮会重新亮起。',
  ],
  'status.roundSoldOut': [
    'This round is gone, 0 left. Stay here: the page opens the next one by itself, and lights up if units come back.',
    '本场已抢完，剩余 0 件。请留在本页：下一场或退回的商品会自动开放。',
  ],
  'status.roundOver': [
    'This round is over. Stay here: the next one opens by itself.',
    '本场已结束。请留在本页，下一场会自动开始。',
  ],
  'status.toOrder': ['View order', '查看订单'],
  'status.owned': ['You have an order from this sale.', '您已有本活动的订单。'],
  'status.limitLeft': [
    'Limit per person: {limit}. You have {held}, so choose {left} at most.',
    '每人限购 {limit} 件，您已有 {held} 件，最多还能购买 {left} 件。',
  ],
  'round.units': ['{n} {n|unit|units}', '{n} 件'],
  'facts.limit': ['Per shopper', '每人限购'],
  'facts.units': ['{n}', '{n} 件'],
  'facts.pay': ['Pay within', '付款时限'],
  'facts.minutes': ['{n} min', '{n} 分钟'],
  'facts.seconds': ['{n} s', '{n} 秒'],
} as const satisfies Messages
