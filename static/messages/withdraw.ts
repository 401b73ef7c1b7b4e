/**
 * Words of the withdrawal from a contract, which its script has. Its buttons are labelled as Directive 2011/83/EU asks in
 * Art. 11a(1) and (3): with these words or others of the same clear meaning.
 */
import type { Messages } from './text.ts'

export const withdrawMessages = {
  'withdraw.title': ['Withdraw from contract', '撤回合同'],
  'withdraw.order': ['Order', '订单号'],
  'withdraw.text': [
    'I withdraw from the contract for these goods. No reason is needed.',
    '本人撤回以下商品的购买合同，无需说明理由。',
  ],
  'withdraw.until': ['You can withdraw until {time}.', '可在 {time} 前撤回。'],
  'withdraw.before': ['You withdrew from {n} {n|unit|units} on {time}.', '您已于 {time} 撤回 {n} 件商品。'],
  'withdraw.name': ['Your name', '姓名'],
  'withdraw.email': ['E-mail for the receipt', '接收回执的邮箱'],
  'withdraw.emailHint': [
    'We send the receipt there, with date and time.',
    '撤回回执（含日期和时间）将发送至该邮箱。',
  ],
  'withdraw.units': ['Units to withdraw from', '撤回数量'],
  'withdraw.unitsOf': ['{name}: units to withdraw from', '{name}：撤回数量'],
  'withdraw.confirm': ['Confirm withdrawal', '确认撤回'],
  'withdraw.sending': ['Sending…', '正在提交…'],
  'withdraw.back': ['Back', '返回'],
  'withdraw.close': ['Close', '关闭'],
  'withdraw.done': [
    'We received your withdrawal on {time}. The receipt is on its way to {email}.',
    '我们已于 {time} 收到您的撤回声明，回执将发送至 {email}。',
  ],
  'withdraw.over': ['This order can’t be withdrawn from any more.', '该订单已无法撤回。'],
  'withdraw.failed': [
    'We couldn’t confirm the withdrawal. Try again: it counts only once.',
    '暂时无法确认是否已提交，请再试一次，不会重复提交。',
  ],
  'withdraw.badName': ['Enter your name.', '请填写姓名。'],
  'withdraw.badEmail': [
    'Enter an e-mail address such as name@example.com.',
    '请输入有效的邮箱，如 name@example.com。',
  ],
  'withdraw.badUnits': ['Choose at least one unit of this order.', '请至少选择一件商品。'],
  'withdraw.guestText': [
    'Enter the number of your order and the e-mail address that you gave with it. We send a link there.',
    '请输入订单号和下单时填写的邮箱，我们会将撤回链接发送至该邮箱。',
  ],
  'withdraw.number': ['Order number', '订单号'],
  'withdraw.orderEmail': ['E-mail address of the order', '下单邮箱'],
  'withdraw.send': ['Send link', '发送链接'],
  'withdraw.sent': [
    'If this order exists and the address belongs to it, a link arrives there within a minute. Nothing came? Check number and address, or contact the shop.',
    '若订单号与邮箱匹配，链接将在一分钟内送达。未收到时，请核对订单号和邮箱，或联系商家。',
  ],
  'withdraw.badNumber': [
    'Enter the order number from your e-mail or order page.',
    '请输入邮件或订单页上的订单号。',
  ],
  'withdraw.expired': ['This link is not valid any more. Ask for another one.', '该链接已失效，请重新获取。'],
} as const satisfies Messages
