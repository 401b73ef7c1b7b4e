/**
 * Words of the console for sales that are no goods: a key of the console's with `coupon.` or `red-packet.` before it stands in
 * its place where the sale is of that kind.
 */
import type { Messages } from './text.ts'

const coupon = {
  'coupon.form.what': ['What is handed out', '券面信息'],
  'coupon.form.howMuch': ['Stock', '数量'],
  'coupon.form.currencyHint': [
    'Nobody pays for a coupon: its orders name it with an amount of 0.',
    '优惠券免费，订单金额为 0。',
  ],
  'coupon.console.stockOf': ['{n} {n|coupon|coupons}', '{n} 张'],
  'coupon.console.phase.sold-out': ['All claimed', '已领完'],
  'coupon.live.sold': ['Orders written (coupons)', '已写入订单（张）'],
  'coupon.stock.now': ['{total} in total, {booked} taken', '共 {total} 张，已领 {booked} 张'],
  'coupon.stock.unknown': [
    '{total} in total; how many are taken is unknown right now',
    '共 {total} 张，已领数量暂时未知',
  ],
  'coupon.stock.delta': ['Coupons to add or take away', '增加或减少的张数'],
  'coupon.slot.stock': ['Coupons', '张数'],
  'coupon.slot.stockNote': [
    'Each window says how many coupons it brings, so the sale has no stock of its own.',
    '张数由各时段分别设定，无需单独填写库存。',
  ],
  'coupon.ask.openText': [
    'It opens at once: {stock}, free of charge. Every waiting page lights its button within a few seconds.',
    '活动将立即开启：{stock}，免费领取。所有等待中的页面会在几秒内亮起按钮。',
  ],
  'coupon.ask.refundAfter': [
    'It is cancelled and its codes are void: a till that has them must be told. Others can take its coupons. This cannot be undone.',
    '订单将被取消，兑换码作废（请通知核销方），名额可再次被领取。此操作无法撤销。',
  ],
  'coupon.refund.title': ['Take back an order', '收回订单'],
  'coupon.refund.cancelled': ['Taken back: its codes are void.', '已收回，兑换码作废。'],
  'coupon.refund.do': ['Take back', '收回'],
} as const satisfies Messages

const redPacket = {
  'red-packet.form.what': ['What it is about', '活动信息'],
  'red-packet.form.howMuch': ['Money and packets', '金额与红包'],
  'red-packet.form.onShelf': [
    'The packets are split and on the shelf: they cannot change any more.',
    '红包已拆分并上架，不可再更改。',
  ],
  'red-packet.console.stockOf': ['{n} {n|packet|packets}', '{n} 个红包'],
  'red-packet.console.phase.sold-out': ['All gone', '已抢完'],
  'red-packet.slot.title': ['Waves', '场次'],
  'red-packet.slot.hint': [
    'A rain may come in several waves. Each brings packets and money of its own; what is left of one falls in the next.',
    '红包雨可以分多场进行，每场有各自的红包数量和金额，未抢完的留到下一场。',
  ],
  'red-packet.slot.stockNote': [
    'Each wave says how many packets it brings and what they hold.',
    '数量与金额由各场次分别设定。',
  ],
  'red-packet.slot.nth': ['Wave {n}', '第 {n} 场'],
  'red-packet.slot.stock': ['Packets', '红包数量'],
  'red-packet.slot.add': ['Add a wave', '添加场次'],
  'red-packet.slot.remove': ['Remove wave {n}', '删除第 {n} 场'],
  'red-packet.slot.present': ['Present wave', '当前场次'],
  'red-packet.error.windows': [
    'These waves do not fit together, are more than {max}, or have too many packets in all.',
    '这些场次相互冲突、超过 {max} 场，或红包总数过多。',
  ],
  'red-packet.error.slotOrder': [
    'A wave starts when the one before it has ended, or later.',
    '每场须在上一场结束之后开始。',
  ],
  'red-packet.do.warm': ['Split and put on the shelf', '拆分并上架'],
  'red-packet.ask.warm': ['Split the packets and put them on the shelf?', '拆分红包并上架？'],
  'red-packet.ask.warmText': [
    '{money} are split into {stock}, in secret. From then on neither their number nor their amounts can change. The page is shown in the shop; nobody can claim yet.',
    '{money} 将被保密地拆成 {stock}，之后数量和金额都不可更改。页面会在商店展示，此时还不能抢。',
  ],
  'red-packet.ask.openText': [
    'It opens at once: {stock} with {money}. Every waiting page lights its button within a few seconds.',
    '活动将立即开启：{stock}，共 {money}。所有等待中的页面会在几秒内亮起按钮。',
  ],
  'red-packet.ask.pauseText': [
    'Nobody can claim until you resume. What was claimed stays with its shoppers.',
    '恢复之前任何人都不能抢，已抢到的红包不受影响。',
  ],
  'red-packet.ask.resumeText': ['Shoppers can claim again within a few seconds.', '几秒后可以继续抢红包。'],
  'red-packet.ask.closeText': [
    'Every page shows “ended” within seconds. What was claimed stays with its shoppers, what is left goes back to you. A closed sale cannot be opened again.',
    '所有页面会在几秒内显示“已结束”，已抢到的归用户所有，剩余金额退回。关闭后无法再次开启。',
  ],
  'red-packet.ask.recoverText': [
    'Nobody can claim while it is rebuilt. Claims still on their way are credited first; then Redis gets the packets that nobody has, and the sale opens again.',
    '重建期间任何人都不能抢：先入账仍在途中的红包，再在 Redis 中恢复未被领取的红包，然后重新开放活动。',
  ],
  'red-packet.ask.recoverAfter': [
    'No credit is lost. If it is cut off, the sale stays closed until it is done once more.',
    '已入账的金额都会保留。如果中断，活动将保持关闭，直到再次完成重建。',
  ],
  'red-packet.live.remaining': ['Packets left', '剩余红包'],
  'red-packet.live.left': ['Money left in all', '剩余总金额'],
  'red-packet.live.booked': ['Packets claimed', '已抢红包'],
  'red-packet.live.sold': ['Packets credited', '已入账红包'],
  'red-packet.live.drift': ['Redis beyond credits', 'Redis 与入账之差'],
  'red-packet.live.inFlight': ['Being credited', '入账中'],
  'red-packet.live.chart': [
    'Packets left and packets credited over the last minutes',
    '最近几分钟的剩余红包与已入账红包',
  ],
  'red-packet.live.waiting': [
    'Numbers appear once the packets are on the shelf.',
    '红包上架后显示实时数据。',
  ],
  'red-packet.live.unavailable.redis': [
    'Redis does not answer. What is left, what is claimed and what waits for the queue is unknown (–), and nobody can claim.',
    'Redis 无响应：剩余、已抢和待入队数量未知（–），目前无法抢红包。',
  ],
  'red-packet.live.unavailable.sqs': [
    'SQS does not answer. What waits in the queue, what is being credited and the dead letters are unknown (–).',
    'SQS 无响应：队列等待、入账中和死信数量未知（–）。',
  ],
  'red-packet.live.stockLost': [
    'Redis holds no packets of this sale, so nobody can claim. They are rebuilt from the credits within minutes; “Recover” does it at once.',
    'Redis 中没有本活动的红包，目前无法抢。系统会在几分钟内按入账记录重建，点击“恢复”可立即进行。',
  ],
  'red-packet.live.frozen': [
    'This sale is being rebuilt: nobody can claim until it is done.',
    '本活动正在重建，完成前任何人都不能抢红包。',
  ],
  'red-packet.stock.title': ['Packets', '红包'],
  'red-packet.care.agree': ['Redis and the credits agree.', 'Redis 与入账一致。'],
  'red-packet.care.driftUnknown': [
    'Whether Redis and the credits agree cannot be told right now.',
    '暂时无法判断 Redis 与入账是否一致。',
  ],
  'red-packet.care.moreInRedis': [
    'Redis holds {n} {n|claim|claims} more than were credited. “Check now” puts that right.',
    'Redis 中的领取比入账多 {n} 个，点击“立即检查”修复。',
  ],
  'red-packet.care.fewerInRedis': [
    'Redis holds {n} {n|claim|claims} fewer than were credited. “Check now” puts that right.',
    'Redis 中的领取比入账少 {n} 个，点击“立即检查”修复。',
  ],
  'red-packet.care.checked': ['Checked: Redis and the credits agree.', '检查完成：Redis 与入账一致。'],
  'red-packet.care.checkedDrift': [
    'Checked: Redis and the credits differed by {n}, and what can be put right is.',
    '检查完成：Redis 与入账相差 {n} 个，可修复的均已修复。',
  ],
  'red-packet.care.checkedUnknown': [
    'Checked. Some claims are still on their way, so the numbers cannot be compared yet.',
    '检查完成。仍有红包在入账途中，暂时无法比较数量。',
  ],
  'red-packet.care.recoverHint': [
    'Rebuilds the packets in Redis from the credits. Only needed when Redis has lost or forgotten something.',
    '按入账记录在 Redis 中重建红包，仅在 Redis 丢失数据时需要。',
  ],
  'red-packet.care.recovering': ['Rebuilding. Nobody can claim meanwhile …', '正在重建，期间无法抢红包…'],
  'red-packet.care.recovered': ['Rebuilt: {units} {units|claim|claims}.', '重建完成：{units} 个领取记录。'],
} as const satisfies Messages

export const kindMessages = { ...coupon, ...redPacket } as const
