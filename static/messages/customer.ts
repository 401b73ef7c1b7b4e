/** Words of the page that opens the session of a shop's own customer. */
import { sharedMessages } from './shared.ts'
import { signInProblemMessages } from './sign-in-problem.ts'
import type { Messages } from './text.ts'

const again = ['Sign in again', '重新登录'] as const

export const customerMessages = {
  ...sharedMessages,
  'customer.pageTitle': ['Sign in', '登录'],
  'customer.working': ['Signing you in…', '正在登录…'],
  'customer.ask': ['Continue as {to}?', '以“{to}”的身份继续？'],
  'customer.askLead': [
    'You are signed in as {from}. A link from another page signs you in as {to}. If you did not open that link yourself, stay as you are.',
    '您当前以“{from}”的身份登录，刚才打开的链接将改以“{to}”的身份登录。如非您本人操作，请保持当前身份。',
  ],
  'customer.askSame': [
    'You are signed in as another customer with the name {from}. If you did not open this link yourself, stay signed in as you are.',
    '您当前登录的是另一位名为“{from}”的顾客。如非您本人打开此链接，请保持当前身份。',
  ],
  'customer.continue': ['Continue as {to}', '以“{to}”继续'],
  'customer.stay': ['Stay {from}', '保持“{from}”'],
  'customer.staySame': ['Stay signed in', '保持当前身份'],
  'customer.someone': ['another person', '其他用户'],
  'customer.refused': ['Couldn’t sign in', '登录失败'],
  'customer.refusedLead': [
    'This sign-in has expired, isn’t complete, or isn’t from a shop that we accept. Nothing has changed.',
    '本次登录已过期、信息不完整，或来自未被接受的商城。您的登录状态没有变化。',
  ],
  'customer.again': again,
  'customer.blocked': ['You can’t sign in here', '您无法在此登录'],
  'customer.blockedLead': ['This account is blocked. Contact the shop.', '该账户已被限制使用，请联系商家。'],
  'customer.cookies': ['Your browser keeps no cookies', '浏览器未保存 Cookie'],
  'customer.cookiesLead': [
    'Allow cookies for this site, then sign in again.',
    '请允许本网站使用 Cookie，然后重新登录。',
  ],
  'customer.busy': ['Too many tries', '尝试过于频繁'],
  'customer.busyLead': ['Wait a minute, then try again.', '请等待一分钟后重试。'],
  'customer.unavailable': signInProblemMessages['unavailable.title'],
  'customer.unavailableLead': signInProblemMessages['unavailable.lead'],
  'customer.retry': signInProblemMessages['unavailable.again'],
  'customer.toShop': signInProblemMessages['unavailable.toShop'],
} as const satisfies Messages
