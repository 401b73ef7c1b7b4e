/** Words of the dialogs of the page of a sale for reminders and invitations, which are loaded when one is opened. */
import type { Messages } from './text.ts'

export const remindMessages = {
  'remind.title': ['Remind me', '开售提醒'],
  'remind.consent': [
    'I want one e-mail about ten minutes before this sale starts, or at once if it starts sooner. I can take that back here, or with the link in the e-mail.',
    '我同意在本场活动开售前约十分钟（不足十分钟时立即）接收一封提醒邮件，可随时在此页面或通过邮件中的链接取消。',
  ],
  'remind.ask': ['E-mail me before the start', '邮件提醒我'],
  'remind.signIn': ['Sign in to get an e-mail before the start', '登录后可设置邮件提醒'],
  'remind.asked': [
    'Done. We will e-mail {email} about ten minutes before the start.',
    '设置成功，开售前约十分钟将发送邮件至 {email}。',
  ],
  'remind.askedLate': [
    'Done. The sale starts in {n} {n|minute|minutes}: we will e-mail {email} at once.',
    '设置成功。距开售不到 {n} 分钟，提醒邮件将立即发送至 {email}。',
  ],
  'remind.sent': ['The e-mail was sent to {email}.', '提醒邮件已发送至 {email}。'],
  'remind.forget': ['Don’t e-mail me', '取消邮件提醒'],
  'remind.forgotten': ['You won’t get an e-mail.', '已取消邮件提醒。'],
  'remind.noAddress': [
    'Your sign-in has no verified e-mail address, so we can’t send you one. Add the sale to your calendar instead.',
    '您的登录账号没有已验证的邮箱，无法发送邮件提醒。您可以将活动添加到日历。',
  ],
  'remind.tooLate': [
    'The sale is about to start: no more e-mails are sent.',
    '活动即将开售，已无法设置邮件提醒。',
  ],
  'remind.failed': ['That didn’t work. Try again in a moment.', '操作失败，请稍后重试。'],
  'back.title': ['Tell me when units come back', '到货提醒'],
  'back.consent': [
    'I want one e-mail when units of this sale come back, for example because an order was not paid. Those who asked first get theirs first. I can take that back here, or with the link in the e-mail.',
    '如有商品退回库存（例如订单超时未付款），我同意接收一封到货提醒邮件。邮件按设置先后发送，可随时在此页面或通过邮件中的链接取消。',
  ],
  'back.ask': ['E-mail me when units come back', '到货时邮件提醒我'],
  'back.signIn': ['Sign in to get an e-mail when units come back', '登录后可设置到货提醒'],
  'back.asked': [
    'Done. We will e-mail {email} when units come back. They are not reserved for you.',
    '设置成功，到货时将发送邮件至 {email}。商品不会为您预留，请尽快抢购。',
  ],
  'back.tooLate': ['No units of this sale can come back any more.', '本场活动已无法设置到货提醒。'],
  'remind.calendar': ['Add to calendar', '添加到日历'],
  'remind.share': ['Share', '分享'],
  'remind.copied': ['The link was copied.', '链接已复制。'],
  'remind.close': ['Close', '关闭'],
  'invite.title': ['You’re invited', '专属邀请'],
  'invite.signIn': ['Sign in to accept your invitation', '登录后即可使用邀请'],
  'invite.redeemed': [
    'Your invitation is redeemed: you can buy as an invited member.',
    '邀请码已生效，您可以受邀会员身份购买。',
  ],
  'invite.used': ['Someone else has already used this invitation.', '该邀请码已被其他用户使用。'],
  'invite.unknown': ['This invitation is not valid for this sale.', '该邀请码无效或不适用于本活动。'],
  'invite.failed': ['That didn’t work. Reload the page to try again.', '操作失败，请刷新页面重试。'],
} as const satisfies Messages
