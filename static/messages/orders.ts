/** Words of the order page, for one order and for the list of a shopper's own. */
import type { OrderReason, OrderStatus } from '../../core/orders/order.ts'
import { orderStatusMessages } from './order-status.ts'
import { addressMessages } from './orders-address.ts'
import { billMessages } from './orders-bill.ts'
import { problemMessages } from './problems.ts'
import { sharedMessages } from './shared.ts'
import type { Messages, Text } from './text.ts'

/** Stages whose title is not that of their status. */
type TitledStage = 'paying' | 'overtime' | 'pay-again' | 'late' | 'expired'

const titleMessages = {
  'order.title.reserved': ['You got it', '抢到了'],
  'order.title.awaiting-payment': ['Pay to complete your order', '抢购成功，请尽快付款'],
  'order.title.paid': ['Payment received', '付款成功'],
  'order.title.fulfilled': ['Order completed', '订单已完成'],
  'order.title.cancelled': ['Order cancelled', '订单已取消'],
  'order.title.rejected': ['We couldn’t complete your order', '下单失败'],
  'order.title.refund-due': ['Refund in progress', '退款处理中'],
  'order.title.refunded': ['Refunded', '已退款'],
  'order.title.shipped': ['Your order is on its way', '您的订单已发货'],
  'order.title.delivered': ['Your order was delivered', '您的订单已签收'],
  'order.title.paying': ['Payment not complete yet', '付款尚未完成'],
  'order.title.overtime': ['Payment not complete yet', '付款尚未完成'],
  'order.title.pay-again': ['Payment failed', '付款失败，请重新付款'],
  'order.title.late': ['Payment time expired', '付款已超时'],
  'order.title.expired': ['Your {n|coupon|coupons} expired', '优惠券已过期'],
} as const satisfies Record<`order.title.${OrderStatus | TitledStage}`, Text>

/** What happened to an order that does not stand; a sentence about the money follows. */
const reasonMessages = {
  'order.reason.over-cap': [
    'Sorry, the last one was taken before your order could be completed.',
    '很抱歉，处理您的订单时库存已被抢完。',
  ],
  'order.reason.over-limit': ['You had already reached the limit per person.', '您已达到每人限购数量。'],
  'order.reason.undeliverable': [
    'Sorry, we tried several times but couldn’t create your order.',
    '很抱歉，系统多次尝试仍未能生成您的订单。',
  ],
  'order.reason.lost': [
    'Sorry, your order was lost because of a problem on our side.',
    '很抱歉，因系统故障，您的订单未能生成。',
  ],
  'order.reason.unpaid': [
    'You didn’t pay in time, so the order was cancelled automatically.',
    '超时未付款，订单已自动取消。',
  ],
  'order.reason.by-shopper': ['You cancelled this order.', '您已取消该订单。'],
  'order.reason.by-marketer': ['The shop cancelled this order.', '商家已取消该订单。'],
  'order.reason.by-provider': [
    'Your payment was refunded, so the order was cancelled.',
    '您的付款已退回，订单已取消。',
  ],
  'order.reason.by-shop': ['The order was cancelled in the shop.', '该订单已在商城取消。'],
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
    'We’re creating your order. This takes a second or two.',
    '正在为您生成订单，请稍候片刻。',
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
  'order.lead.paid': ['We received {amount}. Thank you!', '已收到您支付的 {amount}，感谢购买！'],
  'order.lead.fulfilled': ['Nothing to pay: your order is complete.', '无需付款，订单已完成。'],
  'order.lead.shipped': ['It has left our warehouse.', '商品已从仓库发出，请留意查收。'],
  'order.lead.delivered': ['The carrier has delivered it.', '物流显示商品已送达。'],
  'order.lead.expired': ['This coupon can no longer be used.', '优惠券已超过有效期，无法使用。'],
} as const satisfies Messages

const stepMessages = {
  'order.steps': ['Order progress', '订单进度'],
  'order.step.reserved': ['Reserved', '已抢到'],
  'order.step.written': ['Order created', '订单生成'],
  'order.step.payment': ['Payment', '付款'],
  'order.step.paid': ['Paid', '已付款'],
  'order.step.codes': ['Code ready', '券码已生成'],
  'order.step.free': ['Nothing to pay', '无需付款'],
  'order.step.refused': ['Unsuccessful', '下单失败'],
  'order.step.cancelled': ['Cancelled', '已取消'],
  'order.step.refund': ['Refund', '退款处理'],
  'order.step.refunded': ['Refunded', '已退款'],
  'order.step.shipped': ['Shipped', '已发货'],
  'order.step.delivered': ['Delivered', '已签收'],
} as const satisfies Messages

const timelineMessages = {
  'order.timeline': ['Order history', '订单动态'],
  'order.event.reserved': ['Reserved', '已抢到'],
  'order.event.written': ['Order created', '订单已生成'],
  'order.event.rejected': ['Order unsuccessful', '下单失败'],
  'order.event.payment-queued': ['Waiting for the payment page', '等待打开付款页面'],
  'order.event.payment-started': ['Payment started', '发起付款'],
  'order.event.payment-authorised': ['Payment authorized', '付款已授权'],
  'order.event.payment-disputed': ['Payment disputed at your bank', '付款发起争议（拒付）'],
  'order.event.dispute-won': ['Dispute closed: the payment stands', '争议已结束，付款有效'],
  'order.event.dispute-lost': ['Dispute closed: your bank returned the money', '争议已结束，银行已退款'],
  'order.event.refund-failed': ['Refund returned by your bank', '退款被银行退回'],
  'order.event.refund-settled': ['Refunded by another way', '已通过其他方式退款'],
  'order.event.payment-succeeded': ['Payment received', '付款成功'],
  'order.event.payment-failed': ['Payment failed', '付款失败'],
  'order.event.payment-window-over': ['Cancelled: not paid in time', '超时未付款，订单自动取消'],
  'order.event.cancelled-by-shopper': ['You cancelled the order', '您已取消订单'],
  'order.event.confirmed-by-shop': ['Paid in the shop', '已在商城付款'],
  'order.event.released-by-shop': ['Cancelled in the shop', '已在商城取消'],
  'order.event.refunded-by-marketer': ['The shop cancelled the order', '商家已取消订单'],
  'order.event.refund-succeeded': ['Refunded', '退款成功'],
  'order.event.other-money-received': [
    'Unexpected payment received: refunded in full',
    '收到异常付款，将原路全额退款',
  ],
  'order.event.money-returned': ['Refund sent', '已退款一笔'],
  'order.event.shipped': ['Shipped', '已发货'],
  'order.event.shipment-corrected': ['Tracking updated', '物流信息已更新'],
  'order.event.delivered': ['Delivered', '已签收'],
  'order.event.coupon-redeemed': ['Coupon redeemed', '优惠券已核销'],
  'order.event.redemption-undone': ['Redemption undone', '核销已撤销'],
  'order.event.withdrawn': ['You withdrew from the contract', '您已撤回合同'],
  'order.event.units-returned': ['The shop received your return', '商家已收到退货'],
  'order.event.refund-started': ['The shop is refunding your payment', '商家已发起退款'],
} as const satisfies Messages

const actionMessages = {
  'withdrawal.open': ['Withdraw from contract here', '在此撤回合同'],
  'withdrawal.guest': ['Withdraw from contract without signing in', '免登录撤回合同'],
  'withdrawal.done': [
    'You withdrew from {n} {n|unit|units} on {time}. The shop sends the money back the way you paid.',
    '您已于 {time} 撤回 {n} 件商品，款项将原路退回。',
  ],
  'order.pay': ['Pay {amount}', '付款 {amount}'],
  'order.addressFirst': ['Add address, then pay', '填写地址并付款'],
  'order.payOn': ['Continue payment', '继续付款'],
  'order.payIn': ['Time left to pay', '剩余付款时间'],
  'order.payBusy': ['Opening the payment page…', '正在打开付款页面…'],
  'order.paySoon': [
    'Many people are paying right now. Your payment page opens in about {seconds} s, and you keep your full time to pay.',
    '现在付款的人较多，付款页面将在约 {seconds} 秒后打开，您的付款时间不会因此减少。',
  ],
  'order.payFailed': ['We couldn’t open the payment page. Please try again.', '无法打开付款页面，请重试。'],
  'order.payNotYet': [
    'Your order or payment is being confirmed. Please wait a moment.',
    '正在确认订单或付款，请稍候。',
  ],
  'order.payRefused': ['This order can no longer be paid.', '该订单已无法付款。'],
  'order.giveBack': ['Cancel order', '取消订单'],
  'order.giveBackBusy': ['Cancelling…', '正在取消…'],
  'order.giveBackFailed': [
    'We couldn’t confirm the cancellation. Try again: it counts only once.',
    '暂时无法确认是否已取消，请再试一次，不会重复操作。',
  ],
  'order.giveBackRefused': ['This order can no longer be cancelled.', '该订单已无法取消。'],
  'giveBack.title': ['Cancel this order?', '确定取消订单？'],
  'giveBack.text': [
    'Your {n} {n|item|items} of “{title}” will be offered to other shoppers, and there may be none left if you change your mind. This can’t be undone.',
    '取消后，{n} 件“{title}”将释放给其他用户，您可能无法再次抢到。此操作无法撤销。',
  ],
  'giveBack.paying': [
    'A payment is in progress. If it still goes through, we’ll refund it in full.',
    '您有一笔付款正在处理，如随后到账，将原路全额退款。',
  ],
  'giveBack.no': ['Keep order', '暂不取消'],
} as const satisfies Messages

/** An order of coupons where it is not about units and money. */
const couponMessages = {
  'coupon.redeemed': ['Redeemed', '已核销'],
  'coupon.name': ['Coupon', '优惠券'],
  'coupon.title': ['Your {n|coupon|coupons}', '您的优惠券'],
  'coupon.lead.reserved': [
    'You got it. Your {n|code|codes} will appear here in a second or two.',
    '已抢到，正在生成券码，请稍候片刻。',
  ],
  'coupon.lead.fulfilled': [
    'Anyone who has {n|this|these} {n|code|codes} can use {n|it|them}, so don’t share {n|it|them}.',
    '凭券码即可使用，请勿泄露给他人，使用时再出示。',
  ],
  'coupon.over-limit': ['You had already reached the limit per person.', '您已达到每人限领数量。'],
  'coupon.void': ['The codes are no longer valid.', '对应的券码已失效。'],
  'coupon.codes': ['{n|Code|Codes}', '券码'],
  'coupon.qr': ['QR code of {code}', '券码 {code} 的二维码'],
  'coupon.copy': ['Copy', '复制'],
  'coupon.copied': ['Copied', '已复制'],
  'coupon.copyByHand': [
    'Your browser blocked copying. The code is selected: copy it by hand.',
    '浏览器不支持自动复制，已为您选中券码，请手动复制。',
  ],
  'coupon.from': ['Valid from {from}', '{from} 起有效'],
  'coupon.until': ['Valid until {until}', '有效期至 {until}'],
  'coupon.between': ['Valid from {from} until {until}', '有效期：{from} 至 {until}'],
  'coupon.expired': ['Expired on {until}', '已于 {until} 过期'],
} as const satisfies Messages

const shipmentMessages = {
  'shipment.title': ['Shipment', '物流信息'],
  'shipment.carrier': ['Carrier', '物流公司'],
  'shipment.tracking': ['Tracking number', '物流单号'],
  'shipment.copyByHand': [
    'Your browser blocked copying. The number is selected: copy it by hand.',
    '浏览器不支持自动复制，已为您选中单号，请手动复制。',
  ],
} as const satisfies Messages

export const ordersMessages = {
  ...sharedMessages,
  ...problemMessages,
  ...orderStatusMessages,
  ...titleMessages,
  ...reasonMessages,
  ...moneyMessages,
  ...leadMessages,
  ...stepMessages,
  ...timelineMessages,
  ...actionMessages,
  ...couponMessages,
  ...shipmentMessages,
  ...addressMessages,
  ...billMessages,
  'orders.title': ['My orders', '我的订单'],
  'orders.pageTitle': ['My orders', '我的订单'],
  'orders.empty': ['No orders yet.', '您还没有订单，快去抢购吧。'],
  'orders.toShop': ['Browse sales', '去逛逛'],
  'orders.more': ['Load more', '加载更多'],
  'orders.moreBusy': ['Loading…', '正在加载…'],
  'orders.loading': ['Loading your orders…', '正在加载订单…'],
  'orders.signIn': ['Sign in to see your orders.', '登录后即可查看订单。'],
  'orders.missing': ['We can’t find this order yet. Still looking…', '暂时查不到该订单，正在继续查询…'],
  'orders.failed': ['Can’t connect. Trying again…', '网络异常，正在重试…'],
  'order.number': ['Order number', '订单号'],
  'order.refunded': ['Refunded so far', '已退款金额'],
  'order.payBy': ['Pay by', '付款截止时间'],
  'order.all': ['All orders', '全部订单'],
  'order.toSale': ['Back to sale', '返回活动页'],
  'order.quantityOf': ['Quantity {n}', '数量 {n}'],
} as const satisfies Messages
