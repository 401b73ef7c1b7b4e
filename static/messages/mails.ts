/** Words of the e-mails to shoppers. */

import type { OrderReason } from '../../core/orders/order.ts'
import type { MailKind } from '../../core/people/mail.ts'
import type { Messages, Text } from './text.ts'

const subjectMessages = {
  'mail.subject.confirmed': ['Order confirmed: {title}', '订单已确认：{title}'],
  'mail.subject.payment-due': ['Pay to complete your order: {title}', '请尽快付款：{title}'],
  'mail.subject.cancelled': ['Order cancelled: {title}', '订单已取消：{title}'],
  'mail.subject.refunded': ['Refund sent: {title}', '退款通知：{title}'],
  'mail.subject.shipped': ['On its way: {title}', '订单已发货：{title}'],
  'mail.subject.packet-credited': ['You got {amount}: {title}', '红包 {amount} 已到账：{title}'],
  'mail.subject.reminder': ['Starting soon: {title}', '即将开售：{title}'],
  'mail.subject.units-back': ['Available again: {title}', '到货提醒：{title}'],
  'mail.subject.unit-offered': ['A unit is yours to buy: {title}', '中签通知：{title}'],
} as const satisfies Record<`mail.subject.${MailKind}`, Text>

const headingMessages = {
  'mail.heading.confirmed': ['Your order is confirmed', '订单已确认'],
  'mail.heading.payment-due': ['Pay to complete your order', '抢购成功，请尽快付款'],
  'mail.heading.cancelled': ['Your order was cancelled', '订单已取消'],
  'mail.heading.refunded': ['We sent your refund', '退款已退回'],
  'mail.heading.shipped': ['Your order is on its way', '订单已发货'],
  'mail.heading.packet-credited': ['Your red packet is in your wallet', '红包已存入钱包'],
  'mail.heading.reminder': ['Your reminder', '开售提醒'],
  'mail.heading.units-back': ['Available again', '又有货了'],
  'mail.heading.unit-offered': ['A unit is yours to buy', '恭喜中签'],
} as const satisfies Record<`mail.heading.${MailKind}`, Text>

const leadMessages = {
  'mail.lead.paid': ['We received {amount}. Thank you!', '已收到您支付的 {amount}，感谢购买！'],
  'mail.lead.free': ['Nothing to pay: your order is complete.', '无需付款，订单已完成。'],
  'mail.lead.codes': [
    'Your {n|code|codes} {n|is|are} on the order page. Anyone who has {n|it|them} can use {n|it|them}, so don’t share {n|it|them}.',
    '券码请在订单页查看。凭券码即可使用，请勿泄露给他人。',
  ],
  'mail.lead.payment-due': [
    'Pay by {time} or the order is cancelled automatically.',
    '请在 {time} 前完成付款，逾期订单将自动取消。',
  ],
  'mail.lead.not-charged': ['You won’t be charged.', '不会扣款。'],
  'mail.lead.refund-due': ['Your payment will be refunded in full.', '您的付款将原路全额退款。'],
  'mail.lead.refunded': [
    'We sent {amount} back to you. It may take your bank a few days to show it.',
    '{amount} 已原路退回，具体到账时间以银行为准。',
  ],
  'mail.lead.shipped': ['We handed your order to the carrier.', '您的订单已交付承运方。'],
  'mail.lead.packet-credited': [
    '{amount} from “{title}” is in your wallet.',
    '来自“{title}”的 {amount} 已存入您的钱包。',
  ],
  'mail.lead.reminder': [
    '“{title}” starts at {time}. Sign in a few minutes before, so that you are ready.',
    '“{title}”将于 {time} 开售，建议提前几分钟登录等候。',
  ],
  'mail.lead.reminder-open': ['“{title}” has started.', '“{title}”已开售。'],
  'mail.lead.units-back': [
    'Units of “{title}” came back. There may be few, and none is reserved for you.',
    '“{title}”有商品退回库存，可再次抢购。数量有限，先到先得。',
  ],
  'mail.lead.unit-offered': [
    'The draw of “{title}” offers you a unit. Buy it by {time}; then it goes to the next rank.',
    '您在“{title}”的抽签中获得购买资格。请在 {time} 前下单，逾期名额将顺延给下一位。',
  ],
} as const satisfies Messages

const reasonMessages = {
  'mail.reason.over-cap': [
    'Sorry, the last one was taken before your order could be completed.',
    '很抱歉，处理您的订单时库存已被抢完。',
  ],
  'mail.reason.over-limit': ['You had already reached the limit per person.', '您已达到每人限购数量。'],
  'mail.reason.undeliverable': [
    'Sorry, we tried several times but couldn’t create your order.',
    '很抱歉，系统多次尝试仍未能生成您的订单。',
  ],
  'mail.reason.lost': [
    'Sorry, your order was lost because of a problem on our side.',
    '很抱歉，因系统故障，您的订单未能生成。',
  ],
  'mail.reason.unpaid': ['It was not paid in time.', '超时未付款。'],
  'mail.reason.by-shopper': ['You cancelled this order.', '您已取消该订单。'],
  'mail.reason.by-marketer': ['The shop cancelled this order.', '商家已取消该订单。'],
  'mail.reason.by-provider': ['Your payment was refunded.', '您的付款已退回。'],
  'mail.reason.by-shop': ['It was cancelled in the shop.', '该订单已在商城取消。'],
} as const satisfies Record<`mail.reason.${OrderReason}`, Text>

export const mailMessages = {
  ...subjectMessages,
  ...headingMessages,
  ...leadMessages,
  ...reasonMessages,
  'mail.fact.item': ['Item', '商品'],
  'mail.fact.variants': ['Options', '规格'],
  'mail.fact.amount': ['Amount', '金额'],
  'mail.fact.order': ['Order number', '订单号'],
  'mail.fact.payBy': ['Pay by', '付款截止时间'],
  'mail.fact.refunded': ['Refunded so far', '已退款金额'],
  'mail.fact.carrier': ['Carrier', '承运方'],
  'mail.fact.tracking': ['Tracking number', '运单号'],
  'mail.fact.startsAt': ['Starts', '开售时间'],
  'mail.fact.offeredUntil': ['Buy by', '购买截止时间'],
  'mail.colon': ['{name}: {value}', '{name}：{value}'],
  'mail.and': [' and ', '、'],
  'mail.itemOf': ['{title} × {n}', '{title} × {n}'],
  'mail.unitsOf': ['{n} × {name}', '{name} × {n}'],
  'mail.toOrder': ['View order', '查看订单'],
  'mail.toPay': ['Pay {amount}', '付款 {amount}'],
  'mail.toWallet': ['Open wallet', '查看钱包'],
  'mail.toSale': ['Go to the sale', '前往抢购'],
  'mail.why.order': [
    'You receive this e-mail because you placed an order at {shop}.',
    '您收到此邮件，是因为您在 {shop} 下了订单。',
  ],
  'mail.why.packet': [
    'You receive this e-mail because you opened a red packet at {shop}.',
    '您收到此邮件，是因为您在 {shop} 领取了红包。',
  ],
  'mail.why.reminder': [
    'You receive this e-mail because you asked {shop} to remind you of this sale.',
    '您收到此邮件，是因为您在 {shop} 设置了开售提醒。',
  ],
  'mail.why.units-back': [
    'You receive this e-mail because you asked {shop} to let you know when units of this sale come back.',
    '您收到此邮件，是因为您在 {shop} 设置了到货提醒。',
  ],
  'mail.why.unit-offered': [
    'You receive this e-mail because you entered a draw at {shop}.',
    '您收到此邮件，是因为您在 {shop} 报名了抽签。',
  ],
  'mail.unsubscribe': ['Unsubscribe', '退订'],
  'mail.support': ['Contact us', '联系客服'],
} as const satisfies Messages
