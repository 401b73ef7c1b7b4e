/**
 * The texts for the problems of a click: what happened, and what the shopper can do about it.
 */
import type { Messages, Text } from './text.ts'

export const wrongRequest: Text = [
  'Something went wrong with this request. Reload the page and try again.',
  '请求有误，请刷新页面后重试。',
]

export const clickProblems = {
  'problem.unknown-sale': ['We can’t find this sale. It may have been removed.', '活动不存在或已下架。'],
  'problem.not-started': [
    'Not started yet. The button lights up by itself when it opens.',
    '活动还未开始，到点后按钮会自动亮起。',
  ],
  'problem.not-your-turn': [
    'Not your turn yet. The button lights up by itself.',
    '还未轮到您，到点后按钮会自动亮起。',
  ],
  'problem.paused': [
    'Paused for a moment. Stay on this page: it continues by itself.',
    '活动暂停中，请留在本页，稍后会自动继续。',
  ],
  'problem.ended': ['This sale has ended. Thanks for taking part!', '活动已结束，感谢参与！'],
  'problem.stale-page': [
    'This page was out of date. We’ve updated it: please try again.',
    '页面已更新到最新状态，请再试一次。',
  ],
  'problem.invalid-request': wrongRequest,
  'problem.limit-reached': [
    'You’ve reached the limit per person. See My orders.',
    '您已达到每人限购数量，请到“我的订单”查看。',
  ],
  'problem.sold-out': ['Sorry, it’s sold out.', '手慢了，已抢完。'],
  'problem.too-many-requests': [
    'Too many attempts. Try again in {seconds} s.',
    '操作过于频繁，请 {seconds} 秒后再试。',
  ],
  'problem.sign-in-required': ['Please sign in first.', '请先登录。'],
  'problem.level-too-low': [
    'This sale is for invited members, or for those of a higher level.',
    '本活动仅限受邀或更高等级的会员参与。',
  ],
  'problem.blocked': [
    'This account or network can’t buy here. If this is a mistake, contact the shop.',
    '当前账号或网络暂时无法购买。如有疑问，请联系商家。',
  ],
  'problem.challenge-required': [
    'A security check comes first. It runs by itself: try again when the button lights up.',
    '需要先完成安全验证，验证会自动进行，请在按钮亮起后再试。',
  ],
  'problem.challenge-failed': [
    'The security check failed or expired. A new one runs: try again when the button lights up.',
    '安全验证未通过或已过期，正在重新验证，请在按钮亮起后再试。',
  ],
  'problem.unavailable': ['We’re very busy. Please try again in a moment.', '当前访问人数较多，请稍后再试。'],
} as const satisfies Messages
