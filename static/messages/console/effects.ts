/** Words of the console for what an action will do, before it is done. */
import type { Messages } from '../text.ts'

export const effectMessages = {
  'effect.left': ['{n} {n|unit|units} {n|is|are} left.', '剩余 {n} 件。'],
  'coupon.effect.left': ['{n} {n|coupon|coupons} {n|is|are} left.', '剩余 {n} 张。'],
  'red-packet.effect.left': ['{n} red {n|packet|packets} {n|is|are} left.', '剩余 {n} 个红包。'],
  'effect.unpaid': [
    '{n} {n|order|orders} not paid yet can still be paid in time.',
    '{n} 个待付款订单仍可在时限内付款。',
  ],
  'effect.stock': ['{before} → {after} in total.', '总库存 {before} → {after}。'],
  'effect.stockIfLeft': [
    '{before} → {after} in total, unless these are reserved: what is left isn’t known right now.',
    '总库存 {before} → {after}。当前剩余数量未知，已锁定的部分无法减少。',
  ],
  'effect.overTotal': [
    'There {n|is|are} only {n} {n|unit|units} in total: more cannot be removed.',
    '总库存仅 {n} 件，无法减少更多。',
  ],
  'coupon.effect.overTotal': [
    'There {n|is|are} only {n} {n|coupon|coupons} in total: more cannot be removed.',
    '总库存仅 {n} 张，无法减少更多。',
  ],
  'effect.shown': ['The product page shows it within seconds.', '商品页几秒内更新。'],
  'effect.ship': [
    'The order pages of {n} {n|shopper|shoppers} show it at once, and shop e-mail says so where it is on.',
    '{n} 位用户的订单页会立即更新；如已开启邮件通知，用户还会收到邮件。',
  ],
  'effect.tooMany': [
    'Only {n} {n|unit|units} {n|is|are} left: the others are reserved and cannot be removed.',
    '仅剩 {n} 件，其余已锁定，无法减少。',
  ],
  'coupon.effect.tooMany': [
    'Only {n} {n|coupon|coupons} {n|is|are} left: the others are claimed and cannot be removed.',
    '仅剩 {n} 张，其余已被领取，无法减少。',
  ],
  'effect.ifAdded': ['Add: {effect}', '增加：{effect}'],
  'effect.ifRemoved': ['Remove: {effect}', '减少：{effect}'],
  'effect.remove': ['Remove units?', '减少库存？'],
  'effect.refund': ['{money} go back to the shopper.', '{money} 将原路退还给用户。'],
  'effect.cancel': ['The order is cancelled. No money goes back.', '订单将被取消，无需退款。'],
  'coupon.effect.cancel': [
    'The order is cancelled and its codes become void: tell the shops that redeem them.',
    '订单将被取消，券码作废，请通知核销门店。',
  ],
  'effect.unitsBack': ['{n} {n|unit|units} {n|goes|go} back on sale.', '{n} 件库存将重新释放。'],
  'coupon.effect.unitsBack': ['{n} {n|coupon|coupons} can be claimed again.', '{n} 张优惠券将重新释放。'],
  'effect.unitsShipped': [
    '{n} {n|unit|units} {n|was|were} shipped and will not be sold again.',
    '{n} 件商品已发货，不会重新释放。',
  ],
  'effect.final': ['This can’t be undone.', '此操作无法撤销。'],
  'effect.nothing': ['Nothing to do: this order is “{status}”.', '无需操作，该订单状态为“{status}”。'],
  'effect.createOrder': ['Create this order?', '创建该订单？'],
  'effect.taken': ['{before} → {after} left.', '剩余 {before} → {after}。'],
  'effect.payWithin': [
    'The shopper has {n} min to pay; otherwise the units go back on sale.',
    '用户须在 {n} 分钟内付款，否则库存重新释放。',
  ],
  'effect.addresses': ['{n} addresses.', '共 {n} 个 IP 地址。'],
  'effect.block': [
    'Every sale turns it away within 2 seconds and says so. Orders that exist stay.',
    '2 秒内所有活动都会拦截并提示，已有订单不受影响。',
  ],
  'effect.blockShopper': [
    'Every sale turns it away within 2 seconds and says so. If the account has a role, it also loses the console and the control API. Orders that exist stay.',
    '2 秒内所有活动都会拦截并提示；如该账号拥有后台角色，将同时失去后台和管理接口的访问权限。已有订单不受影响。',
  ],
  'effect.blockSessionKey': [
    'Every session that this key has signed ends within 2 seconds: shoppers and staff sign in again. First let the sign-in use another key.',
    '2 秒内，由该密钥签发的所有登录全部失效，用户和员工须重新登录。请先更换登录密钥。',
  ],
  'effect.blockShopKey': [
    'Tills and web shops with this key redeem nothing any more, within 2 seconds.',
    '2 秒内，使用该密钥的收银台和网店将无法核销。',
  ],
  'effect.unblockShopper': [
    'It can buy in every sale again within 2 seconds. If the account has a role, it can use the console again.',
    '2 秒内恢复参与所有活动；如该账号拥有后台角色，将同时恢复后台访问权限。',
  ],
  'effect.unblockKey': ['The key is accepted again within 2 seconds.', '2 秒内该密钥恢复有效。'],
  'effect.unblock': ['It can buy in every sale again within 2 seconds.', '2 秒内恢复参与所有活动。'],
  'effect.pauseAll': [
    'Selling now: {open}. Waiting for their start: {scheduled}.',
    '进行中：{open} 场；待开抢：{scheduled} 场。',
  ],
  'effect.pauseAllAtLeast': [
    'Selling now: at least {open}. Waiting for their start: at least {scheduled}.',
    '进行中：至少 {open} 场；待开抢：至少 {scheduled} 场。',
  ],
  'effect.rebuild': [
    'The orders have {units} {units|unit|units} in {orders} {orders|order|orders}; these stay reserved.',
    '现有 {orders} 个订单，共 {units} 件，将保持锁定。',
  ],
  'effect.brandChange': ['{name}: {before} → {after}', '{name}：由 {before} 改为 {after}'],
  'effect.empty': ['(empty)', '（空）'],
} as const satisfies Messages
