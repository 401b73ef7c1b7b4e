/** What a shopper is told for every problem code: what happened, and what to do about it. */
import type { ProblemCode } from '../../core/outcome.ts'
import type { Text } from './text.ts'

export const problemMessages = {
  'problem.unknown-sale': [
    'We cannot find this sale. It may have been taken down.',
    '找不到这场活动，可能已经下架。',
  ],
  'problem.not-started': [
    'Not yet. The button lights up by itself at the start.',
    '还没开始。到点后按钮会自动亮起。',
  ],
  'problem.paused': [
    'The sale is paused for a moment. Stay here: it goes on by itself.',
    '活动暂停中，请留在本页，恢复后会自动继续。',
  ],
  'problem.ended': ['This sale is over. Thank you for coming.', '活动已经结束，感谢您的参与。'],
  'problem.stale-page': [
    'The sale moved on while you were here. We have fetched the latest. Please press once more.',
    '活动已更新，我们已为您取得最新状态，请再点一次。',
  ],
  'problem.invalid-request': [
    'Something in this request was not right. Reload the page and try again.',
    '请求内容有误，请刷新页面后再试。',
  ],
  'problem.limit-reached': [
    'You already have as many as one shopper may buy. They are in your orders.',
    '您已达到每人限购数量，请到“我的订单”查看。',
  ],
  'problem.sold-out': [
    'Someone else was faster. {remaining} left.',
    '手慢了，已被抢完，剩余 {remaining} 件。',
  ],
  'problem.at-capacity': [
    'Many people are trying right now. Places may still open up: try again in {seconds} s.',
    '当前抢购人数过多，可能仍有名额释放，请 {seconds} 秒后再试。',
  ],
  'problem.too-many-requests': [
    'That was a little fast. You can try again in {seconds} s.',
    '操作太频繁，请 {seconds} 秒后再试。',
  ],
  'problem.sign-in-required': [
    'Please sign in first. We bring you straight back here.',
    '请先登录，登录后会自动回到这里。',
  ],
  'problem.signature-invalid': ['This message was not signed as agreed.', '该消息的签名无效。'],
  'problem.role-required': ['This page is for the people who run the sales.', '此页面仅限活动运营人员使用。'],
  'problem.origin-not-allowed': [
    'This request did not come from our shop. Open the sale from the shop page.',
    '请求不是来自本商店，请从商店页面重新进入。',
  ],
  'problem.level-too-low': [
    'This sale is for members of a higher level than yours.',
    '本场活动仅面向更高等级的会员，您的等级暂未达到。',
  ],
  'problem.blocked': [
    'Buying is not possible from this account or this network. If you think that is a mistake, ask the shop.',
    '当前账号或网络无法购买。如有疑问，请联系商家。',
  ],
  'problem.challenge-required': [
    'First we check that you are a person. This page does it by itself: press again when the button lights up.',
    '需要先进行真人验证，本页会自动完成。按钮亮起后请再点一次。',
  ],
  'problem.challenge-failed': [
    'The check that you are a person was not accepted, or was too old. A new one is on its way: press again when the button lights up.',
    '真人验证未通过或已过期，正在重新验证。按钮亮起后请再点一次。',
  ],
  'problem.not-found': [
    'There is nothing here. The address may be mistyped.',
    '这里什么也没有，请检查网址。',
  ],
  'problem.method-not-allowed': [
    'The shop does not understand this request. Reload the page and try again.',
    '商店无法识别该请求，请刷新页面后再试。',
  ],
  'problem.conflict': [
    'That is not possible as things stand. Reload to see the present state.',
    '当前状态不允许该操作，请刷新查看最新状态。',
  ],
  'problem.too-large': [
    'That request was too large. Reload the page and try again.',
    '请求过大，请刷新页面后再试。',
  ],
  'problem.unsupported-media-type': [
    'The shop could not read this request. Reload the page and try again.',
    '商店无法读取该请求，请刷新页面后再试。',
  ],
  'problem.unavailable': ['We’re very busy. Please try again in a moment.', '当前访问人数较多，请稍后再试。'],
} as const satisfies Record<`problem.${ProblemCode}`, Text>

/** The catalogue key of a problem code. */
export function problemKey<C extends ProblemCode>(code: C): `problem.${C}` {
  return `problem.${code}`
}
