/** Words of the sale page. */
import { listPriceMessages } from './list-price.ts'
import { openingMessages } from './opening.ts'
import type { Messages } from './text.ts'

export const saleMessages = {
  ...openingMessages,
  ...listPriceMessages,
  'button.ready': ['Buy now', '立即抢购'],
  'button.later': ['You can buy in {time}', '{time} 后可购买'],
  'button.won': ['You got it', '已抢到'],
  'stock.left': ['{remaining} left', '剩余 {remaining} 件'],
  'stock.ready': ['{remaining} available', '限量 {remaining} 件'],
  'stock.unlimited': ['In stock', '库存充足'],
  'quantity.label': ['Quantity', '数量'],
  'quantity.less': ['Decrease quantity', '减少数量'],
  'quantity.more': ['Increase quantity', '增加数量'],
  'quantity.total': ['Total {amount}', '合计 {amount}'],
  'status.sending': ['Submitting your order…', '正在为您抢购…'],
  'status.won': ['You got it! Opening your order…', '抢到了！正在为您打开订单…'],
  'status.repeat': ['You already got this one. Opening your order…', '您已经抢到过了，正在为您打开订单…'],
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
  'status.open': ['It’s live. Good luck!', '开抢啦，祝您好运！'],
  'status.returned': ['Back in stock: {remaining} left.', '库存已释放，还剩 {remaining} 件，快抢！'],
  'status.gone': [
    'Your earlier order is no longer valid. You can order again.',
    '您之前的订单已失效，可以重新抢购。',
  ],
  'status.soldOut': [
    'Sold out. If an order is cancelled, the button lights up again, so keep this page open.',
    '已抢完。如有订单取消，库存会自动释放，按钮亮起即可再抢。',
  ],
  'status.roundSoldOut': [
    'This round is sold out. Keep this page open: the next round opens by itself, and cancelled orders go back on sale.',
    '本场已抢完。请留在本页，下一场会自动开始；期间如有订单取消，也可继续抢购。',
  ],
  'status.roundOver': [
    'This round has ended. Keep this page open: the next one opens by itself.',
    '本场已结束。请留在本页，下一场会自动开始。',
  ],
  'status.toOrder': ['View order', '查看订单'],
  'status.owned': ['You have an order from this sale.', '您已有本活动的订单。'],
  'status.limitLeft': [
    'Limit per person: {limit}. You have {held}, so choose {left} at most.',
    '每人限购 {limit} 件，您已有 {held} 件，最多还能购买 {left} 件。',
  ],
  'round.units': ['{n} {n|item|items}', '{n} 件'],
  'facts.limit': ['Limit per person', '每人限购'],
  'facts.units': ['{n}', '{n} 件'],
  'facts.pay': ['Pay within', '付款时限'],
  'facts.minutes': ['{n} min', '{n} 分钟'],
  'facts.seconds': ['{n} s', '{n} 秒'],
} as const satisfies Messages
