/**
 * Texts of the sale page of a coupon, which costs nothing: other texts under the same keys, and
 * facts of its own.
 */
import { saleMessages } from './sale.ts'
import type { Messages } from './text.ts'

export const couponSaleMessages = {
  ...saleMessages,
  'price.free': ['Free', '免费'],
  'phase.open': ['Live now', '领取中'],
  'phase.sold-out': ['All claimed', '已领完'],
  'button.ready': ['Get coupon', '立即领取'],
  'button.sign-in': ['Sign in to get it', '登录后领取'],
  'button.won': ['Claimed', '已领取'],
  'button.sold-out': ['All claimed', '已领完'],
  'stock.left': ['{remaining} left', '剩余 {remaining} 张'],
  'stock.ready': ['{remaining} available', '限量 {remaining} 张'],
  'status.sending': ['Getting your coupon…', '正在为您领取…'],
  'status.won': ['You got it! Opening your code…', '领取成功！正在为您打开券码…'],
  'status.repeat': ['You already have this coupon. Opening your code…', '您已经领取过了，正在为您打开券码…'],
  'status.fewerLeft': [
    'Only {remaining} left. Lower the quantity and try again.',
    '仅剩 {remaining} 张，请减少数量后重试。',
  ],
  'status.checking': [
    'Connection lost. Checking whether you got the coupon…',
    '网络中断，正在确认您是否领到…',
  ],
  'status.unsure': [
    'We couldn’t confirm the result. Try again: it counts only once.',
    '暂时无法确认结果，请再试一次，不会重复领取。',
  ],
  'status.noOrder': ['You didn’t get a coupon with that attempt.', '已确认：刚才没有领到优惠券。'],
  'status.returned': ['More coupons: {remaining} left.', '又有优惠券了，还剩 {remaining} 张，快来领！'],
  'status.gone': [
    'Your earlier coupon was withdrawn. You can get a new one.',
    '您之前的优惠券已被收回，可以重新领取。',
  ],
  'status.soldOut': [
    'All coupons are claimed. If some come back, the button lights up again, so keep this page open.',
    '已领完。如有名额释放，按钮亮起即可再领，请留意本页。',
  ],
  'status.roundSoldOut': [
    'All coupons of this round are claimed. Keep this page open: the next round opens by itself, and withdrawn coupons can be claimed again.',
    '本场已领完。请留在本页，下一场会自动开始；期间如有名额释放，也可继续领取。',
  ],
  'status.toOrder': ['View coupon', '查看优惠券'],
  'button.owned': ['View coupon', '查看优惠券'],
  'status.owned': ['You have a coupon from this sale.', '您已领取过本活动的优惠券。'],
  'status.limitLeft': [
    'Limit per person: {limit}. You have {held}, so choose {left} at most.',
    '每人限领 {limit} 张，您已有 {held} 张，最多还能领取 {left} 张。',
  ],
  'problem.limit-reached': [
    'You’ve reached the limit per person. See My orders.',
    '您已达到每人限领数量，请到“我的订单”查看。',
  ],
  'problem.sold-out': ['Sorry, all coupons are claimed.', '手慢了，已领完。'],
  'problem.blocked': [
    'This account or network can’t claim coupons. If this is a mistake, contact the shop.',
    '当前账号或网络暂时无法领取。如有疑问，请联系商家。',
  ],
  'round.units': ['{n} {n|coupon|coupons}', '{n} 张'],
  'facts.title': ['Good to know', '领取须知'],
  'facts.perOrder': ['Limit per order', '每次限领'],
  'facts.limit': ['Limit per person', '每人限领'],
  'facts.units': ['{n}', '{n} 张'],
  'facts.validFrom': ['Valid from', '生效时间'],
  'facts.validUntil': ['Valid until', '有效期至'],
} as const satisfies Messages
