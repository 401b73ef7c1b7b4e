/**
 * Words of every page that waits for a sale and lets shoppers click: the clock, the button, the
 * rounds and the facts.
 */
import { clickProblems } from './click-problems.ts'
import { galleryMessages } from './gallery.ts'
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

export const openingMessages = {
  ...sharedMessages,
  ...clickProblems,
  ...galleryMessages,
  'clock.startsIn': ['Starts in', '距开始'],
  'clock.endsIn': ['Ends in', '距结束'],
  'clock.anyMoment': ['Any moment now', '马上开始'],
  'clock.delayed': [
    'Delayed. Keep this page open: it opens by itself.',
    '活动推迟，请留在本页，开始后会自动开抢。',
  ],
  'clock.ended': ['This sale has ended', '活动已结束'],
  'button.loading': ['Loading…', '加载中…'],
  'button.checking': ['Verifying…', '安全验证中…'],
  'button.unchecked': ['Not verified', '验证未完成'],
  'button.early': ['Not started yet', '尚未开始'],
  'button.sign-in': ['Sign in to buy', '登录后购买'],
  'button.turn': ['Your turn in {seconds} s', '{seconds} 秒后轮到您'],
  'button.choose': ['Choose an option', '请选择规格'],
  'button.owned': ['View order', '查看订单'],
  'button.again': ['Try again', '再试一次'],
  'button.sending': ['Submitting…', '提交中…'],
  'button.resting': ['Try again in {seconds} s', '{seconds} 秒后可重试'],
  'button.paused': ['Paused', '已暂停'],
  'button.held-back': ['Checking stock', '库存核对中'],
  'button.sold-out': ['Sold out', '已抢完'],
  'button.ended': ['Ended', '已结束'],
  'button.draft': ['Coming soon', '敬请期待'],
  'status.signInEarly': ['Sign in now to be ready.', '请提前登录，准备开抢。'],
  'status.turn': [
    'Turns in the first {seconds} s are drawn at random. The button lights up by itself.',
    '开抢后的前 {seconds} 秒随机安排先后，轮到您时按钮会自动亮起。',
  ],
  'status.full': [
    'Many people are trying. Places may still open up: try again when the button lights up.',
    '当前抢购人数过多，可能仍有名额释放，请在按钮亮起后再试。',
  ],
  'status.offline': ['Can’t connect. Trying again…', '网络异常，正在重试…'],
  'status.notSent': [
    'You are offline, so nothing was sent. Try again once connected.',
    '网络已断开，请求未发出。请恢复网络后再试。',
  ],
  'status.toSignIn': ['Sign in', '去登录'],
  'check.later': ['A security check runs by itself before the start.', '开始前会自动进行安全验证。'],
  'round.title': ['Rounds', '场次'],
  'round.until': ['until', '至'],
  'round.next': ['Next', '下一场'],
  'round.over': ['Ended', '已结束'],
  'round.later': ['Upcoming', '未开始'],
  'round.nextAt': ['Next round: {time}', '下一场：{time}'],
  'facts.title': ['Good to know', '购买须知'],
  'facts.starts': ['Starts', '开始时间'],
  'facts.ends': ['Ends', '结束时间'],
  'facts.members': ['Members only', '会员专享'],
  'facts.level': ['Level {n} and up', '{n} 级及以上会员'],
} as const satisfies Messages
