/**
 * Words of the console for sales that are no goods: a key of the console's with `coupon.` or
 * `red-packet.` before it stands in its place where the sale is of that kind.
 */
import type { Messages } from '../text.ts'

const coupon = {
  'coupon.form.what': ['Coupon details', '优惠券信息'],
  'coupon.form.howMuch': ['Stock', '发放数量'],
  'coupon.form.currencyHint': [
    'Coupons are free; their orders show an amount of 0 in this currency.',
    '优惠券免费，订单金额按此币种显示为 0。',
  ],
  'coupon.form.rules': ['Limits', '限领规则'],
  'coupon.form.limitPerShopper': ['Limit per person', '每人限领'],
  'coupon.form.maxPerOrder': ['Limit per order', '每次限领'],
  'coupon.console.phase.open': ['Live', '领取中'],
  'coupon.console.stockOf': ['{n} {n|coupon|coupons}', '{n} 张'],
  'coupon.console.phase.sold-out': ['All claimed', '已领完'],
  'coupon.live.processing': ['Coupons being issued', '发放中'],
  'coupon.live.sold': ['Coupons issued', '已发放张数'],
  'coupon.stock.now': ['{total} in total, {booked} claimed', '共 {total} 张，已领 {booked} 张'],
  'coupon.stock.unknown': [
    '{total} in total; the number claimed is unknown right now',
    '共 {total} 张，已领数量暂时未知',
  ],
  'coupon.stock.delta': ['Coupons to add or remove', '调整张数'],
  'coupon.shards.booked': ['Claimed', '已领'],
  'coupon.shards.pool': ['Not allocated yet: {n} {n|coupon|coupons}', '尚未分配：{n} 张'],
  'coupon.shards.overdrawn': [
    '{n} {n|coupon|coupons} too many are allocated. The databases are giving them up.',
    '多分配了 {n} 张，系统正在收回。',
  ],
  'coupon.window.stock': ['Coupons', '本场张数'],
  'coupon.window.stockNote': ['The number of coupons is set for each round.', '张数按场次分别设置。'],
  'coupon.ask.offer': ['{stock}, free of charge.', '数量：{stock}，免费领取。'],
  'coupon.ask.publishText': [
    'Its page appears in the shop at once. From now on you can only add or remove coupons.',
    '活动页面将立即在商城展示，此后张数只能增加或减少。',
  ],
  'coupon.ask.pauseText': [
    'Nobody can claim until you resume. Coupons already claimed stay valid.',
    '暂停期间用户无法领取，已领取的优惠券不受影响。',
  ],
  'coupon.ask.resumeText': ['Shoppers can claim again within a few seconds.', '几秒后用户即可继续领取。'],
  'coupon.ask.refund': ['Withdraw the coupons of this order?', '收回该订单的优惠券？'],
  'coupon.ask.cancelOrder': ['Withdraw the coupons of this order?', '收回该订单的优惠券？'],
  'coupon.live.frozen': [
    'This sale is being rebuilt: nobody can claim until it is done.',
    '本活动正在重建，完成前用户无法领取。',
  ],
  'coupon.care.recovering': ['Rebuilding. Nobody can claim meanwhile…', '正在重建，期间用户无法领取…'],
  'coupon.refund.title': ['Withdraw coupons', '收回优惠券'],
  'coupon.refund.cancelled': ['Withdrawn: the codes are void.', '已收回，券码作废。'],
  'coupon.refund.do': ['Withdraw', '收回'],
  'coupon.refund.cancel': ['Withdraw', '收回'],
} as const satisfies Messages

const redPacket = {
  'red-packet.form.what': ['Sale details', '活动信息'],
  'red-packet.form.howMuch': ['Amount and number', '红包金额与个数'],
  'red-packet.form.onShelf': [
    'The red packets are split: they can no longer be changed.',
    '红包已拆分，不可再更改。',
  ],
  'red-packet.console.stockOf': ['{n} red {n|packet|packets}', '{n} 个红包'],
  'red-packet.console.phase.sold-out': ['All gone', '已抢完'],
  'red-packet.window.hint': [
    'A red packet rain can come in several rounds, each with red packets and money of its own. What is left of one round falls in the next.',
    '红包雨可分多场进行，每场单独设置红包个数和金额，未抢完的自动累计到下一场。',
  ],
  'red-packet.window.stockNote': [
    'The number and the amount are set for each round.',
    '个数与金额按场次分别设置。',
  ],
  'red-packet.window.stock': ['Red packets', '红包个数'],
  'red-packet.error.windows': [
    'These rounds overlap, are more than {max}, or have too many red packets in total.',
    '场次时间重叠、超过 {max} 场，或红包总数过多。',
  ],
  'red-packet.ask.offer': ['{stock} with {money}.', '{stock}，共 {money}。'],
  'red-packet.ask.publishText': [
    '{money} are split into {stock}, in secret. After that, neither number nor amounts can change. The page appears in the shop at once.',
    '{money} 将随机拆分为 {stock}，拆分结果保密，之后个数和金额都不可更改。活动页面将立即在商城展示。',
  ],
  'red-packet.ask.pauseText': [
    'Nobody can grab until you resume. Red packets that were grabbed stay with their owners.',
    '暂停期间用户无法抢红包，已抢到的红包不受影响。',
  ],
  'red-packet.ask.resumeText': [
    'Shoppers can grab again within a few seconds.',
    '几秒后用户即可继续抢红包。',
  ],
  'red-packet.ask.closeText': [
    'Every page shows “Ended” within seconds. Red packets that were grabbed stay with their owners; what is left goes back to you. A sale that was ended can’t be opened again.',
    '所有页面会在几秒内显示“已结束”，已抢到的红包归用户所有，剩余金额退回。结束后无法再次开启。',
  ],
  'red-packet.ask.recoverText': [
    'Nobody can grab during the rebuild. Red packets that were grabbed are credited first; then those that nobody has are restored, and the sale opens again.',
    '重建期间用户无法抢红包。系统会先为已抢到的红包入账，再还原未被抢的红包，然后重新开放活动。',
  ],
  'red-packet.ask.recoverAfter': [
    'No credit is lost. If the rebuild is cut off, the sale stays closed until you run it again.',
    '已入账的金额不会丢失。如果重建中断，活动将保持关闭，直到再次重建完成。',
  ],
  'red-packet.live.remaining': ['Red packets left', '剩余红包'],
  'red-packet.live.left': ['Total amount left', '剩余总金额'],
  'red-packet.live.booked': ['Red packets grabbed', '已抢个数'],
  'red-packet.live.sold': ['Red packets credited', '已入账个数'],
  'red-packet.live.drift': ['Mismatch', '入账差异'],
  'red-packet.live.processing': ['Being credited', '入账中'],
  'red-packet.live.inFlight': ['Being credited', '入账中'],
  'red-packet.live.unavailable.redis': [
    'The live stock (Redis) isn’t responding: nobody can grab until it is back, and its numbers are unknown (–). Nothing to do: it is asked again every second.',
    '实时库存服务（Redis）无响应：恢复前用户无法抢红包，相关数字未知（–）。无需操作，系统每秒自动重试。',
  ],
  'red-packet.live.unavailable.sqs': [
    'The message queue (SQS) isn’t responding: red packets are credited once it is back, and its numbers are unknown (–). Nothing to do.',
    '消息队列（SQS）无响应：恢复后才会入账，相关数字未知（–）。无需操作。',
  ],
  'red-packet.live.stockLost': [
    'The live data of this sale was lost, so nobody can grab. It is rebuilt from the credits within minutes; “Rebuild” does it at once.',
    '本活动的红包数据丢失，用户暂时无法抢红包。系统会在几分钟内按入账记录自动重建，点击“重建”可立即进行。',
  ],
  'red-packet.live.frozen': [
    'This sale is being rebuilt: nobody can grab until it is done.',
    '本活动正在重建，完成前用户无法抢红包。',
  ],
  'red-packet.stock.title': ['Red packets', '红包'],
  'red-packet.care.agree': ['Live data and credits match.', '红包数据与入账记录一致。'],
  'red-packet.care.driftUnknown': [
    'Can’t compare live data and credits right now.',
    '暂时无法核对红包数据与入账记录。',
  ],
  'red-packet.care.moreInRedis': [
    '{n} more {n|was|were} grabbed than credited. “Check now” fixes that.',
    '已抢个数比入账多 {n} 个，点击“立即核对”可修复。',
  ],
  'red-packet.care.fewerInRedis': [
    '{n} fewer {n|was|were} grabbed than credited. “Check now” fixes that.',
    '已抢个数比入账少 {n} 个，点击“立即核对”可修复。',
  ],
  'red-packet.care.table': ['Download red packets (CSV)', '导出红包记录（CSV）'],
  'red-packet.care.checked': ['Checked: live data and credits match.', '核对完成：红包数据与入账记录一致。'],
  'red-packet.care.checkedDrift': [
    'Checked: they differed by {n}. Whatever can be repaired was repaired.',
    '核对完成：相差 {n} 个，可修复的均已修复。',
  ],
  'red-packet.care.checkedUnknown': [
    'Checked. Some red packets are still being credited, so the numbers can’t be compared yet.',
    '核对完成。仍有红包在入账中，暂时无法比较数量。',
  ],
  'red-packet.care.recoverHint': [
    'Rebuilds the red packets from the credits. Only needed when live data was lost.',
    '按入账记录重建红包数据，仅在数据丢失时需要。',
  ],
  'red-packet.care.recovering': ['Rebuilding. Nobody can grab meanwhile…', '正在重建，期间用户无法抢红包…'],
  'red-packet.care.recovered': [
    'Rebuilt: {units} grabbed red {units|packet|packets}.',
    '重建完成：已还原 {units} 条领取记录。',
  ],
} as const satisfies Messages

export const kindMessages = { ...coupon, ...redPacket } as const
