/** Words of the page for a sign-in that did not work. */
import type { Messages } from './text.ts'

const toShop = ['To the shop', '返回首页'] as const

export const signInProblemMessages = {
  'unavailable.title': ['Sign-in isn’t available', '暂时无法登录'],
  'unavailable.lead': [
    'The sign-in service isn’t responding. Your account and orders aren’t affected. Try again in a moment.',
    '登录服务暂无响应，您的账户和订单不受影响，请稍后重试。',
  ],
  'unavailable.again': ['Try again', '重试'],
  'unavailable.toShop': toShop,
  'refused.title': ['Couldn’t sign in', '登录失败'],
  'refused.lead': [
    'This sign-in has expired, was cancelled, or was already used. You are not signed in. Sign in again.',
    '本次登录已过期、已取消或已失效，您尚未登录，请重新登录。',
  ],
  'refused.again': ['Sign in again', '重新登录'],
  'refused.toShop': toShop,
} as const satisfies Messages
