/** Words of the order page, for one order and for the list of a shopper's own. */
import type { OrderStatus, RejectReason } from '../../core/order.ts'
import { problemMessages } from './problems.ts'
import { sharedMessages } from './shared.ts'
import type { Messages, Text } from './text.ts'

const statusMessages = {
  'order.status.reserved': ['Reserved', '已锁定'],
  'order.status.awaiting-payment': ['Waiting for payment', '待付款'],
  'order.status.rejected': ['Not granted', '未成功'],
} as const satisfies Record<`order.status.${OrderStatus}`, Text>

const reasonMessages = {
  'order.reason.over-cap': [
    'More people were let in than there were units, and yours was past the last one. You pay nothing.',
    '进场人数超过库存，您的订单排在最后一件之后，不会产生任何费用。',
  ],
  'order.reason.over-limit': [
    'You already have as many as one shopper may buy. You pay nothing for this one.',
    '您已达到每人限购数量，本单不会产生任何费用。',
  ],
} as const satisfies Record<`order.reason.${RejectReason}`, Text>

export const ordersMessages = {
  ...sharedMessages,
  ...problemMessages,
  ...statusMessages,
  ...reasonMessages,
  'orders.title': ['My orders', '我的订单'],
  'orders.empty': ['No orders yet. The next sale may be yours.', '还没有订单，下一场也许就是您的。'],
  'orders.toShop': ['Go to the shop', '去商店看看'],
  'orders.loading': ['Fetching your orders …', '正在读取订单…'],
  'orders.signIn': ['Sign in to see your orders.', '登录后即可查看订单。'],
  'orders.failed': ['We cannot reach the shop. Trying again …', '无法连接商店，正在重试…'],
  'order.title.reserved': ['It is yours', '抢到了'],
  'order.title.awaiting-payment': ['Your order is confirmed', '订单已确认'],
  'order.title.rejected': ['This order could not be granted', '本单未能成功'],
  'order.lead.reserved': [
    'Your units are set aside. We are writing the order down; this takes a second or two.',
    '商品已为您锁定，订单正在生成，只需一两秒。',
  ],
  'order.lead.awaiting-payment': ['The units are kept for you until {time}.', '商品为您保留至 {time}。'],
  'order.lead.late': ['The time to pay is over.', '付款时限已过。'],
  'order.step.reserved': ['Reserved', '已锁定'],
  'order.step.written': ['Order confirmed', '订单确认'],
  'order.step.payment': ['Payment', '付款'],
  'order.step.refused': ['Not granted', '未成功'],
  'order.payIn': ['Time left to pay', '剩余付款时间'],
  'order.steps': ['Progress of this order', '订单进度'],
  'order.number': ['Order number', '订单号'],
  'order.reservedAt': ['Reserved', '锁定时间'],
  'order.payBy': ['Pay by', '付款截止'],
  'order.all': ['All my orders', '全部订单'],
  'order.toSale': ['Back to the sale', '返回活动'],
  'order.quantityOf': ['Quantity {n}', '{n} 件'],
} as const satisfies Messages
