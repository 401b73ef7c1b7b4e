/** Words of the page behind the link "Unsubscribe" of an e-mail. */
import type { Messages } from './text.ts'

export const unsubscribeMessages = {
  'ask.title': ['Unsubscribe?', '确定退订？'],
  'ask.lead': [
    'You will get no more e-mails about red packets and no reminders of sales. E-mails about your orders still arrive.',
    '退订后将不再收到红包通知和开售提醒邮件，订单相关邮件不受影响。',
  ],
  'ask.submit': ['Unsubscribe', '退订'],
  'done.title': ['Unsubscribed', '退订成功'],
  'done.lead': [
    'You will get no more e-mails about red packets, and your reminders of sales were deleted.',
    '您将不再收到红包通知邮件，已设置的开售提醒也已删除。',
  ],
  'invalid.title': ['This link doesn’t work', '链接无效'],
  'invalid.lead': [
    'It is incomplete or too old. Use the link of a newer e-mail.',
    '链接不完整或已失效，请使用较新邮件中的链接。',
  ],
  toShop: ['To the shop', '返回首页'],
} as const satisfies Messages
