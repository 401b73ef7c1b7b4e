/** Words of the sale page. */
import { openingMessages } from './opening.ts'
import type { Messages } from './text.ts'

export const saleMessages = {
  ...openingMessages,
  'button.ready': ['Buy now', '立即抢购'],
  'button.won': ['Yours', '已抢到'],
  'stock.left': ['{remaining} left', '剩余 {remaining} 件'],
  'stock.ready': ['{remaining} to be sold', '共 {remaining} 件'],
  'stock.unlimited': ['Enough for everyone', '数量充足'],
  'quantity.label': ['Quantity', '数量'],
  'quantity.less': ['One fewer', '减少一件'],
  'quantity.more': ['One more', '增加一件'],
  'quantity.total': ['Total {amount}', '合计 {amount}'],
  'status.sending': ['Asking for yours …', '正在为您抢购…'],
  'status.won': ['It is yours. Taking you to your order …', '抢到了！正在前往订单…'],
  'status.repeat': ['You already had this one. Taking you to your order …', '您之前已抢到，正在前往订单…'],
  'status.fewerLeft': [
    'Only {remaining} left. Choose a smaller number and try again.',
    '只剩 {remaining} 件，请减少数量后再试。',
  ],
  'status.checking': [
    'The answer got lost on the way. Looking for your order …',
    '回复在途中丢失，正在查询您的订单…',
  ],
  'status.unsure': [
    'We could not tell whether it went through. Press again: you keep your place and never get two orders by accident.',
    '暂时无法确认是否成功。请再点一次：您的位置会保留，绝不会重复下单。',
  ],
  'status.noOrder': ['We looked: that click did not become an order.', '已确认：刚才的点击没有生成订单。'],
  'status.open': ['It is open. Good luck!', '开始了，祝您好运！'],
  'status.returned': ['Units came back: {remaining} left.', '有商品退回：剩余 {remaining} 件。'],
  'status.gone': [
    'Your earlier order does not stand any more. Press again for a new one.',
    '您之前的订单已失效，请再点一次重新抢购。',
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
  'status.toOrder': ['See your order', '查看订单'],
  'round.units': ['{n} {n|unit|units}', '{n} 件'],
  'facts.limit': ['Per shopper', '每人限购'],
  'facts.units': ['{n}', '{n} 件'],
  'facts.pay': ['Time to pay', '付款时限'],
  'facts.minutes': ['{n} min', '{n} 分钟'],
  'facts.seconds': ['{n} s', '{n} 秒'],
} as const satisfies Messages
