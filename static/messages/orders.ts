/** Words of the order page, for one order and for the list of a shopper's own. */
import type { OrderReason, OrderStatus } from '../../core/order.ts'
import { problemMessages } from './problems.ts'
import { sharedMessages } from './shared.ts'
import type { Messages, Text } from './text.ts'

const statusMessages = {
  'order.status.reserved': ['Reserved', '已锁定'],
  'order.status.awaiting-payment': ['Waiting for payment', '待付款'],
  'order.status.paid': ['Paid', '已付款'],
  'order.status.fulfilled': ['Done', '已完成'],
  'order.status.cancelled': ['Cancelled', '已取消'],
  'order.status.rejected': ['Not granted', '未成功'],
  'order.status.refund-due': ['Refund on its way', '退款中'],
  'order.status.refunded': ['Refunded', '已退款'],
} as const satisfies Record<`order.status.${OrderStatus}`, Text>

/** Stages whose title is not that of their status. */
type TitledStage = 'paying' | 'overtime' | 'pay-again' | 'late' | 'expired'

const titleMessages = {
  'order.title.reserved': ['It is yours', '抢到了'],
  'order.title.awaiting-payment': ['Pay to complete your order', '抢购成功，请尽快付款'],
  'order.title.paid': ['Paid. Thank you', '付款成功，谢谢'],
  'order.title.fulfilled': ['All done', '订单已完成'],
  'order.title.cancelled': ['This order was cancelled', '订单已取消'],
  'order.title.rejected': ['This order could not be granted', '本单未能成功'],
  'order.title.refund-due': ['Your money is on its way back', '退款处理中'],
  'order.title.refunded': ['Your money was sent back', '已退款'],
  'order.title.paying': ['Payment not complete yet', '付款尚未完成'],
  'order.title.overtime': ['Payment not complete yet', '付款尚未完成'],
  'order.title.pay-again': ['Payment failed', '付款失败，请重新付款'],
  'order.title.late': ['Payment time expired', '付款已超时'],
  'order.title.expired': ['{n|Coupon|Coupons} expired', '优惠券已过期'],
} as const satisfies Record<`order.title.${OrderStatus | TitledStage}`, Text>

/** What happened to an order that does not stand; a sentence about the money follows. */
const reasonMessages = {
  'order.reason.over-cap': [
    'More people were let in than there were units, and yours was past the last one.',
    '进场人数超过库存，您的订单排在最后一件之后。',
  ],
  'order.reason.over-limit': ['You already have as many as one shopper may buy.', '您已达到每人限购数量。'],
  'order.reason.undeliverable': [
    'We are sorry: we tried several times to write your order down, and it did not work. The units went back to the sale.',
    '非常抱歉：我们多次尝试生成您的订单，均未成功，商品已退回活动。',
  ],
  'order.reason.lost': [
    'We are sorry: your order got lost on our side before it was written down. The units went back to the sale.',
    '非常抱歉：您的订单在生成之前因我们的原因丢失，商品已退回活动。',
  ],
  'order.reason.unpaid': [
    'You didn’t pay in time, so the order was cancelled automatically.',
    '超时未付款，订单已自动取消。',
  ],
  'order.reason.by-shopper': [
    'You gave this order back, and the units went back to the sale.',
    '您已放弃此订单，商品已退回活动。',
  ],
  'order.reason.by-marketer': ['The shop cancelled this order.', '商家已取消该订单。'],
  'order.reason.by-provider': [
    'Your payment was refunded, so the order was cancelled.',
    '您的付款已退回，订单已取消。',
  ],
} as const satisfies Record<`order.reason.${OrderReason}`, Text>

const moneyMessages = {
  'order.money.none': ['You won’t be charged.', '不会扣款。'],
  'order.money.stray': [
    'If your payment still goes through, we’ll refund it in full.',
    '如您的付款随后到账，将原路全额退款。',
  ],
  'order.money.due': [
    'Your payment of {amount} will be refunded in full. This page updates when it’s done.',
    '您支付的 {amount} 将原路全额退款，完成后本页会更新。',
  ],
  'order.money.back': [
    'Your payment of {amount} was refunded in full. It may take your bank a few days to show it.',
    '您支付的 {amount} 已原路全额退款，具体到账时间以银行为准。',
  ],
} as const satisfies Messages

const leadMessages = {
  'order.lead.reserved': [
    'Your units are set aside. We are writing the order down; this takes a second or two.',
    '商品已为您锁定，订单正在生成，只需一两秒。',
  ],
  'order.lead.to-pay': [
    'Pay by {time} or the order is cancelled automatically.',
    '请在 {time} 前完成付款，逾期订单将自动取消。',
  ],
  'order.lead.pay-again': [
    'Your payment didn’t go through. You can try again until {time}.',
    '付款失败，请在 {time} 前重新付款。',
  ],
  'order.lead.paying': [
    'If you have paid, your payment is being processed. If not, complete it by {time}.',
    '如果您已付款，系统正在处理；如果尚未付款，请在 {time} 前完成付款。',
  ],
  'order.lead.overtime': [
    'The payment time is over. If you have paid, your payment is still being processed, and we’ll wait a little longer.',
    '付款已超时。如果您已付款，系统仍在处理，我们会再等待片刻。',
  ],
  'order.lead.late': ['The order is being cancelled. You won’t be charged.', '订单即将自动取消，不会扣款。'],
  'order.lead.paid': ['We received {amount}. The units are yours.', '已收到 {amount}，商品归您所有。'],
  'order.lead.fulfilled': ['There is nothing to pay. The units are yours.', '无需付款，商品已归您所有。'],
  'order.lead.expired': ['The time to redeem is over.', '兑换期已结束。'],
} as const satisfies Messages

const stepMessages = {
  'order.steps': ['Progress of this order', '订单进度'],
  'order.step.reserved': ['Reserved', '已锁定'],
  'order.step.written': ['Order created', '订单生成'],
  'order.step.payment': ['Payment', '付款'],
  'order.step.paid': ['Paid', '已付款'],
  'order.step.free': ['Nothing to pay', '无需付款'],
  'order.step.refused': ['Not granted', '未成功'],
  'order.step.cancelled': ['Cancelled', '已取消'],
  'order.step.refund': ['Refund', '退款'],
  'order.step.refunded': ['Money sent back', '款项已退还'],
} as const satisfies Messages

const timelineMessages = {
  'order.timeline': ['What happened', '订单动态'],
  'order.event.reserved': ['Reserved for you', '已为您锁定'],
  'order.event.written': ['Order created', '订单已生成'],
  'order.event.rejected': ['Not granted', '未成功'],
  'order.event.payment-started': ['Payment started', '发起付款'],
  'order.event.payment-succeeded': ['Payment received', '收到付款'],
  'order.event.payment-failed': ['Payment failed', '付款失败'],
  'order.event.payment-window-over': ['Cancelled: not paid in time', '超时未付款，订单自动取消'],
  'order.event.cancelled-by-shopper': ['Given back by you', '您已放弃订单'],
  'order.event.refunded-by-marketer': ['The shop cancelled the order', '商家已取消订单'],
  'order.event.refund-succeeded': ['Refunded', '退款成功'],
  'order.event.other-money-received': [
    'Unexpected payment received: refunded in full',
    '收到异常付款，将原路全额退款',
  ],
  'order.event.money-returned': ['Refund sent', '已退款一笔'],
} as const satisfies Messages

const actionMessages = {
  'order.pay': ['Pay {amount}', '支付 {amount}'],
  'order.payOn': ['Continue payment', '继续付款'],
  'order.payIn': ['Time left to pay', '剩余付款时间'],
  'order.payBusy': ['Opening the payment page …', '正在打开付款页面…'],
  'order.payFailed': ['We could not open the payment page. Please try again.', '无法打开付款页面，请重试。'],
  'order.payRefused': ['This order can no longer be paid.', '此订单已无法付款。'],
  'order.giveBack': ['Give it back', '放弃订单'],
  'order.giveBackBusy': ['Giving it back …', '正在放弃…'],
  'order.giveBackFailed': [
    'We could not tell whether that went through. Press again: it counts once.',
    '暂时无法确认是否成功，请再按一次：只会生效一次。',
  ],
  'order.giveBackRefused': ['This order can no longer be given back.', '此订单已无法放弃。'],
  'giveBack.title': ['Give this order back?', '放弃这个订单？'],
  'giveBack.text': [
    'Your {n} {n|unit|units} of “{title}” can then be bought by somebody else. This cannot be undone, and there may be none left if you change your mind.',
    '您的 {n} 件“{title}”将可被他人购买。此操作无法撤销，若您改变主意，可能已无库存。',
  ],
  'giveBack.paying': [
    'A payment is in progress. If it still goes through, we’ll refund it in full.',
    '您有一笔付款正在处理，如随后到账，将原路全额退款。',
  ],
  'giveBack.no': ['Keep my order', '保留订单'],
} as const satisfies Messages

/** An order of coupons where it is not about units and money. */
const couponMessages = {
  'coupon.name': ['Coupon', '优惠券'],
  'coupon.title': ['Your {n|coupon|coupons}', '您的优惠券'],
  'coupon.lead.reserved': [
    'Set aside for you. The {n|code|codes} will be here in a second or two.',
    '已为您锁定，券码正在生成，只需一两秒。',
  ],
  'coupon.lead.fulfilled': [
    'Whoever knows a code can use it, so show it only where you redeem it.',
    '知道券码的人都可使用，请只在兑换时出示。',
  ],
  'coupon.over-limit': ['You already have as many as one shopper may get.', '您已达到每人限领数量。'],
  'coupon.void': ['A code you wrote down is no longer valid.', '之前的券码已失效。'],
  'coupon.codes': ['{n|Code|Codes}', '券码'],
  'coupon.copy': ['Copy', '复制'],
  'coupon.copied': ['Copied', '已复制'],
  'coupon.copyByHand': [
    'Your browser does not let this page copy. The code is marked: copy it by hand.',
    '浏览器不允许本页复制。券码已选中，请手动复制。',
  ],
  'coupon.from': ['Valid from {from}', '{from} 起有效'],
  'coupon.until': ['Valid until {until}', '有效期至 {until}'],
  'coupon.between': ['Valid from {from} until {until}', '有效期：{from} 至 {until}'],
  'coupon.expired': ['Expired on {until}', '已于 {until} 过期'],
} as const satisfies Messages

export const ordersMessages = {
  ...sharedMessages,
  ...problemMessages,
  ...statusMessages,
  ...titleMessages,
  ...reasonMessages,
  ...moneyMessages,
  ...leadMessages,
  ...stepMessages,
  ...timelineMessages,
  ...actionMessages,
  ...couponMessages,
  'orders.title': ['My orders', '我的订单'],
  'orders.empty': ['No orders yet. The next sale may be yours.', '还没有订单，下一场也许就是您的。'],
  'orders.toShop': ['Go to the shop', '去商店看看'],
  'orders.more': ['Load more', '加载更多'],
  'orders.moreBusy': ['Loading…', '正在加载…'],
  'orders.loading': ['Fetching your orders …', '正在读取订单…'],
  'orders.signIn': ['Sign in to see your orders.', '登录后即可查看订单。'],
  'orders.missing': [
    'We cannot find this order right now. We keep looking …',
    '暂时找不到此订单，正在继续查询…',
  ],
  'orders.failed': ['We cannot reach the shop. Trying again …', '无法连接商店，正在重试…'],
  'order.number': ['Order number', '订单号'],
  'order.refunded': ['Refunded so far', '已退款金额'],
  'order.payBy': ['Pay by', '付款截止'],
  'order.all': ['All my orders', '全部订单'],
  'order.toSale': ['Back to the sale', '返回活动'],
  'order.quantityOf': ['Quantity {n}', '{n} 件'],
} as const satisfies Messages
