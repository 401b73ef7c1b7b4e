/** Words of the sale page of a coupon, which nobody buys: other words under the same keys, and facts of its own. */
import { saleMessages } from './sale.ts'
import type { Messages } from './text.ts'

export const couponSaleMessages = {
  ...saleMessages,
  'price.free': ['Free', '免费'],
  'phase.open': ['Open now', '领取中'],
  'phase.sold-out': ['All gone', '已领完'],
  'clock.endsIn': ['Open now. Ends in', '领取中，距结束'],
  'clock.soldOut': ['All gone', '已领完'],
  'button.ready': ['Get coupon', '领取'],
  'button.won': ['Yours', '已领取'],
  'button.sold-out': ['All gone', '已领完'],
  'button.draft': ['Not open yet', '尚未开放'],
  'stock.left': ['{remaining} left', '剩余 {remaining} 张'],
  'stock.ready': ['{remaining} to be given out', '共 {remaining} 张'],
  'quantity.less': ['One fewer', '减少一张'],
  'quantity.more': ['One more', '增加一张'],
  'status.sending': ['Asking for yours …', '正在为您领取…'],
  'status.won': ['It is yours. Taking you to its code …', '领取成功！正在前往券码…'],
  'status.repeat': ['You already had this one. Taking you to its code …', '您之前已领取，正在前往券码…'],
  'status.fewerLeft': [
    'Only {remaining} left. Choose a smaller number and try again.',
    '只剩 {remaining} 张，请减少数量后再试。',
  ],
  'status.checking': [
    'The answer got lost on the way. Looking for your coupon …',
    '回复在途中丢失，正在查询您的优惠券…',
  ],
  'status.unsure': [
    'We couldn’t confirm the result. Try again: it counts only once.',
    '暂时无法确认结果，请再试一次，不会重复领取。',
  ],
  'status.noOrder': ['We looked: that click brought no coupon.', '已确认：刚才的点击没有领到优惠券。'],
  'status.returned': ['Coupons came back: {remaining} left.', '有优惠券退回：剩余 {remaining} 张。'],
  'status.gone': [
    'Your earlier coupon was taken back. Press again for a new one.',
    '您之前的优惠券已失效，请再点一次重新领取。',
  ],
  'status.soldOut': [
    'All gone, 0 left. We keep looking: if coupons come back, the button lights up again.',
    '已领完，剩余 0 张。如有退回，按钮会重新亮起。',
  ],
  'status.roundSoldOut': [
    'This round is gone, 0 left. Stay here: the page opens the next one by itself, and lights up if coupons come back.',
    '本场已领完，剩余 0 张。请留在本页：下一场或退回的优惠券会自动开放。',
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
  'problem.sold-out': [
    'Someone else was faster. {remaining} left.',
    '手慢了，已被领完，剩余 {remaining} 张。',
  ],
  'problem.blocked': [
    'Coupons are not given out to this account or this network. If you think that is a mistake, ask the shop.',
    '当前账号或网络无法领取。如有疑问，请联系商家。',
  ],
  'round.units': ['{n} {n|coupon|coupons}', '{n} 张'],
  'facts.title': ['Good to know', '领取须知'],
  'facts.perOrder': ['Per order', '每次限领'],
  'facts.limit': ['Per shopper', '每人限领'],
  'facts.units': ['{n}', '{n} 张'],
  'facts.validFrom': ['Valid from', '生效时间'],
  'facts.validUntil': ['Valid until', '有效期至'],
} as const satisfies Messages
