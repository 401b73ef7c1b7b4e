/** Words of the marketer's console. */
import { kindMessages } from './console-kinds.ts'
import { problemMessages } from './problems.ts'
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

const form = {
  'form.create': ['New sale', '新建活动'],
  'form.edit': ['Edit sale', '编辑活动'],
  'form.what': ['What is sold', '商品'],
  'form.howMuch': ['Price and stock', '价格与库存'],
  'form.when': ['When', '时间'],
  'form.rules': ['Rules', '规则'],
  'form.saleId': ['Id', '编号'],
  'form.saleIdHint': ['Part of the address: /sales/…/', '将成为网址的一部分：/sales/…/'],
  'form.title': ['Title', '标题'],
  'form.description': ['Description', '描述'],
  'form.image': ['Picture', '图片'],
  'form.imageHint': ['An https address, or a path on this site', 'https 地址，或本站路径'],
  'form.imageBroken': ['This picture does not load.', '图片无法加载。'],
  'form.price': ['Price', '价格'],
  'form.currency': ['Currency', '币种'],
  'form.stock': ['Stock', '库存'],
  'form.stockHint': ['-1 means unlimited', '-1 表示不限量'],
  'form.currencyHint': ['A code such as CNY or EUR', '币种代码，如 CNY、EUR'],
  'form.packets': ['Number of packets', '红包数量'],
  'form.total': ['Money in all', '总金额'],
  'form.totalHint': ['Such as 5000.00; all of it goes into the packets.', '如 5000.00，全部装入红包。'],
  'form.validity': ['When the coupons are good', '优惠券有效期'],
  'form.validityHint': ['Both may stay empty: good at once, and for ever.', '均可留空：立即生效、长期有效。'],
  'form.validFrom': ['Good from', '生效时间'],
  'form.validUntil': ['Good until', '失效时间'],
  'form.limitPerShopper': ['Limit per shopper', '每人限购'],
  'form.maxPerOrder': ['Most per order', '每单上限'],
  'form.startsAt': ['Starts', '开始'],
  'form.endsAt': ['Ends', '结束'],
  'form.zone': ['Your time zone: {zone}', '您的时区：{zone}'],
  'form.paymentWindow': ['Minutes to pay', '付款时限（分钟）'],
  'form.paymentGrace': ['Extra seconds while paying', '付款进行中的宽限（秒）'],
  'form.save': ['Save', '保存'],
  'form.cancel': ['Cancel', '取消'],
  'form.saving': ['Saving…', '保存中…'],
  'form.sessionEnded': [
    'Your session has ended. Sign in to save: what you entered stays here.',
    '登录已过期。请登录后保存，已填写的内容会保留在本页。',
  ],
  'form.signIn': ['Sign in in a new tab', '在新标签页登录'],
  'form.locked': [
    'Fixed since the first opening: shoppers hold promises made under it.',
    '首次开启后不可更改：购物者已据此获得承诺。',
  ],
  'form.onShelf': [
    'The stock is on the shelf: change it on the sale’s page.',
    '库存已上架，请在活动页面调整。',
  ],
  'form.fix': ['Please fix the marked fields.', '请修改标出的字段。'],
  'error.required': ['This is needed.', '必填。'],
  'error.saleId': [
    '3 to 40 lower-case letters, digits or inner hyphens.',
    '3 到 40 个小写字母、数字，中间可用连字符。',
  ],
  'error.taken': ['This id is taken; an id is never used twice.', '该编号已被使用，编号不可重复使用。'],
  'error.image': [
    'An https address or a path such as /assets/pictures/mug.svg.',
    '请输入 https 地址，或 /assets/pictures/mug.svg 这样的路径。',
  ],
  'error.price': [
    'An amount with at most {digits} decimals, not negative.',
    '请输入不为负、最多 {digits} 位小数的金额。',
  ],
  'error.currency': ['An ISO 4217 code such as CNY or EUR.', '请输入 ISO 4217 币种代码，如 CNY、EUR。'],
  'error.minutes': [
    'Minutes, at most {max}. 0.5 is half a minute.',
    '请输入分钟数，最多 {max}；0.5 表示半分钟。',
  ],
  'error.whole': ['A whole number from {min} to {max}.', '请输入 {min} 到 {max} 的整数。'],
  'error.time': ['A date and a time.', '请输入日期和时间。'],
  'error.endsAt': ['The end must come after the start.', '结束时间必须晚于开始时间。'],
  'error.past': [
    'This time has passed, so the sale could never open. Choose an end in the future.',
    '该时间已过，活动将无法开启，请选择将来的结束时间。',
  ],
  'error.maxPerOrder': ['At most the limit per shopper.', '不能超过每人限购数量。'],
  'error.total': [
    'At least {least} {code}: {each} for each packet.',
    '至少 {least} {code}，即每个红包不少于 {each}。',
  ],
  'error.totalRange': ['An amount from {min} to {max}.', '请输入 {min} 到 {max} 的金额。'],
  'error.validUntil': [
    'After the end of the sale, and after they become good.',
    '须晚于活动结束时间和生效时间。',
  ],
  'error.ratio': [
    'A number from {min} to {max}, with at most three decimals.',
    '请输入 {min} 到 {max} 的数字，最多三位小数。',
  ],
  'error.slotOrder': [
    'A window starts when the one before it has ended, or later.',
    '每个时段须在上一时段结束之后开始。',
  ],
  'error.slots': [
    'These windows do not fit together, are more than {max}, or have too many units in all.',
    '这些时段相互冲突、超过 {max} 个，或总数量过多。',
  ],
} as const satisfies Messages

const slot = {
  'slot.title': ['Windows', '时段'],
  'slot.hint': [
    'A sale may open several times, such as two hours on each of ten days. Each window adds its own units; what is left of one stays on sale in the next.',
    '活动可以分时段多次开放，例如连续十天每天两小时。每个时段增加各自的数量，未售完的留到下一时段。',
  ],
  'slot.stockNote': [
    'Each window says how many units it brings, so the sale has no stock of its own.',
    '数量由各时段分别设定，无需单独填写库存。',
  ],
  'slot.nth': ['Window {n}', '时段 {n}'],
  'slot.stock': ['Units', '数量'],
  'slot.total': ['Money', '金额'],
  'slot.add': ['Add a window', '添加时段'],
  'slot.remove': ['Remove window {n}', '删除时段 {n}'],
  'slot.present': ['Present window', '当前时段'],
} as const satisfies Messages

const kind = {
  'kind.title': ['What kind of sale', '活动类型'],
  'kind.goods': ['Goods', '商品'],
  'kind.goodsText': [
    'A thing with a price. Whoever gets one has some minutes to pay.',
    '有价格的商品，抢到后需在限定时间内付款。',
  ],
  'kind.coupon': ['Coupons', '优惠券'],
  'kind.couponText': [
    'Free of charge. Each comes with a secret code to redeem.',
    '免费领取，每张附带一个专属兑换码。',
  ],
  'kind.red-packet': ['Red packets', '红包'],
  'kind.red-packetText': [
    'Money, split by chance. Each shopper claims one packet.',
    '一笔钱随机拆分，每人可抢一个红包。',
  ],
  'kind.fixed': ['A sale keeps its kind.', '活动类型不可更改。'],
  'kind.free': ['Free', '免费'],
} as const satisfies Messages

const split = {
  'split.title': ['How it may fall', '拆分示例'],
  'split.text': [
    'Examples are drawn here, in your browser. The real split is drawn in secret when the packets are put on the shelf, and nobody sees it before it is claimed.',
    '示例由您的浏览器随机生成。真正的拆分在红包上架时保密进行，被抢之前无人知晓。',
  ],
  'split.empty': [
    'Say how many packets there are and what they hold, and an example appears here.',
    '填写红包数量和金额后，这里会显示一个示例。',
  ],
  'split.again': ['Another example', '换一个示例'],
  'split.which': ['Show', '显示'],
  'split.all': ['All waves', '全部场次'],
  'split.min': ['Smallest', '最小'],
  'split.median': ['Median', '中位数'],
  'split.mean': ['Mean', '平均'],
  'split.max': ['Largest', '最大'],
  'split.bar': ['{from} to {to}: {n} {n|packet|packets}', '{from} 至 {to}：{n} 个'],
  'split.summary': [
    '{n} {n|packet|packets} from {min} to {max}; half of them hold {median} or less.',
    '共 {n} 个红包，金额从 {min} 到 {max}，其中一半不超过 {median}。',
  ],
} as const satisfies Messages

const gate = {
  'gate.title': ['Gate', '闸门'],
  'gate.text': [
    'Whom the gate lets through to the stock, and how often anybody may ask. The defaults suit most sales, and all of this can change while the sale runs.',
    '设置哪些请求可以通过闸门到达库存，以及请求的频率。默认值适合大多数活动，活动进行中也可以修改。',
  ],
  'gate.ratio': ['Clicks let through per unit', '每件放行点击数'],
  'gate.ratioHint': [
    '1.2 lets 120 clicks through to a stock of 100, because some of them come to nothing. Everybody else is answered at the gate.',
    '1.2 表示库存 100 件时放行 120 次点击，因为部分点击不会成单；其余请求由闸门直接答复。',
  ],
  'gate.level': ['Lowest level', '最低等级'],
  'gate.levelHint': [
    'Only shoppers whose sign-in says this level or a higher one may buy. 0 lets everybody in.',
    '只有登录信息达到该等级的购物者才能购买，0 表示不限。',
  ],
  'gate.challenge': ['Challenge', '验证'],
  'gate.challengeOff': ['Off', '关闭'],
  'gate.challengePow': ['Proof of work', '工作量证明'],
  'gate.challengeHint': [
    'With proof of work a shopper’s browser computes for a moment while it waits for the start. One click hardly notices; a script that wants thousands pays for each.',
    '开启后，购物者的浏览器会在等待开始时做一次短暂计算：单次点击几乎无感，批量脚本则要为每次请求付出代价。',
  ],
  'gate.scope.perShopper': ['Each shopper', '每位购物者'],
  'gate.scope.perShopperHint': [
    'Clicks beyond this are told how long to wait. Counted exactly at the stock.',
    '超出的点击会被告知需等待多久，并在库存处精确计数。',
  ],
  'gate.scope.perIp': ['Each address', '每个地址'],
  'gate.scope.perIpHint': [
    'A shopper who comes back before they may counts thirty times a good click; forged sign-ins slow down strangers of that address only. So an office behind one address can buy.',
    '没到时间就再来的顾客按三十次正常点击计算；伪造的登录只会拖慢同一地址上的陌生人。因此同一地址后的整间办公室仍可购买。',
  ],
  'gate.scope.perSale': ['The whole sale', '整场活动'],
  'gate.scope.perSaleHint': [
    'A ceiling over all shoppers together, for every running copy of the gate.',
    '所有购物者合计的上限，按每个闸门实例分别计算。',
  ],
  'gate.limit': ['Clicks', '点击次数'],
  'gate.windowSeconds': ['in seconds', '每多少秒'],
} as const satisfies Messages

const block = {
  'block.text': [
    'Whoever is on this list is turned away before anything else is looked at, in every sale, and is told so. A change takes effect within 2 seconds.',
    '名单上的购物者或地址会在所有活动中被最先拒绝，并收到说明。更改在 2 秒内生效。',
  ],
  'block.kind': ['What', '类型'],
  'block.shopper': ['Shopper', '购物者'],
  'block.address': ['Address', '地址'],
  'block.value': ['Id or address', '编号或地址'],
  'block.hint': [
    'A shopper’s id, an address such as 203.0.113.7, or a range such as 203.0.113.0/24 or 2001:db8::/32.',
    '购物者编号，地址（如 203.0.113.7），或地址段（如 203.0.113.0/24、2001:db8::/32）。',
  ],
  'block.wrongShopper': [
    'A shopper’s id: up to 128 letters, digits and _ . @ | : + -',
    '请输入购物者编号：最多 128 个字母、数字或 _ . @ | : + -',
  ],
  'block.wrongAddress': [
    'An IPv4 or IPv6 address, or a range such as 203.0.113.0/24.',
    '请输入 IPv4 或 IPv6 地址，或 203.0.113.0/24 这样的地址段。',
  ],
  'block.do': ['Block', '封禁'],
  'block.undo': ['Unblock', '解除'],
  'block.undoOf': ['Unblock {value}', '解除 {value}'],
  'block.done': [
    '{value} is blocked. The whole gate knows within 2 seconds.',
    '{value} 已封禁，2 秒内全部生效。',
  ],
  'block.undone': [
    '{value} is off the list. The whole gate knows within 2 seconds.',
    '{value} 已移出名单，2 秒内全部生效。',
  ],
  'block.wide': ['Block so large a range?', '封禁这么大的地址段？'],
  'block.wideText': [
    '{value} is a good part of all addresses, and most of the people behind them are honest.',
    '{value} 覆盖了相当大一部分地址，其中大多数是正常购物者。',
  ],
  'block.since': ['since {time}, by {who}', '{time} 起，操作人 {who}'],
  'block.empty': ['Nobody is blocked.', '当前没有封禁。'],
} as const satisfies Messages

const start = {
  'start.draft': ['Draft', '草稿'],
  'start.needed': ['Needs your start', '需手动开启'],
  'start.overdue': ['Late: needs your start', '已过开始时间，需手动开启'],
  'start.scheduled': ['Opens by itself at {time}', '{time} 自动开启'],
  'start.neededText': [
    'This sale does not open by itself. Press “{action}” to schedule it for {time}, or to open it at once.',
    '本活动不会自动开启。点击“{action}”，可定时在 {time} 开启，也可立即开启。',
  ],
  'start.soonText': [
    'This sale is due at {time} and is not started, so it will not open. Press “{action}” now.',
    '活动应于 {time} 开始，但尚未开启，到点不会自动开抢。请立即点击“{action}”。',
  ],
  'start.overdueText': [
    'This sale was due at {time} and is not started. Shoppers are waiting. Press “{action}” to open it.',
    '已过开始时间（{time}），活动仍未开启，用户正在等待。请点击“{action}”立即开启。',
  ],
  'start.listSoon': ['is due at {time} and is not started.', '应于 {time} 开始，尚未开启。'],
  'start.listOverdue': ['was due at {time} and is not started.', '已过开始时间（{time}），仍未开启。'],
  'console.phase.draft': ['Draft', '草稿'],
  'console.phase.scheduled': ['Not started', '未开启'],
  'console.phase.open': ['Live', '进行中'],
  'console.phase.paused': ['Paused', '已暂停'],
  'console.phase.sold-out': ['Sold out', '已抢完'],
  'console.phase.ended': ['Ended', '已结束'],
} as const satisfies Messages

const flip = {
  'do.warm': ['Put stock on the shelf', '上架库存'],
  'do.start': ['Start', '开启'],
  'do.pause': ['Pause', '暂停'],
  'do.resume': ['Resume', '恢复'],
  'do.close': ['Close for good', '永久关闭'],
  'do.delete': ['Delete', '删除'],
  'do.edit': ['Edit', '编辑'],
  'do.openNow': ['Open now', '立即开启'],
  'do.arm': ['Schedule', '定时开启'],
  'do.discard': ['Discard', '放弃'],
  'do.keepEditing': ['Keep editing', '继续编辑'],
  'ask.leave': ['Discard what you entered?', '放弃已填写的内容？'],
  'ask.leaveText': ['It is not saved and will be lost.', '内容尚未保存，离开后将丢失。'],
  'do.working': ['Working …', '处理中…'],
  'do.done': ['Done.', '已完成。'],
  'ask.warm': ['Put the stock on the shelf?', '上架库存？'],
  'ask.warmText': [
    '{stock} are counted out for this sale and its page is shown in the shop. Nobody can buy yet. From now on stock changes by plus and minus only.',
    '将为本场活动准备 {stock}，并在商店展示页面，此时还不能购买。之后库存只能增减调整。',
  ],
  'ask.start': ['Start this sale?', '开启这场活动？'],
  'ask.armText': [
    'It opens by itself at {time}, in {wait}. You do not have to be here then.',
    '活动将在 {time}（{wait}后）自动开启，届时无需人工操作。',
  ],
  'ask.openText': [
    'It opens at once: {stock} at {money}. Every waiting page lights its button within a few seconds.',
    '活动将立即开启：{stock}，单价 {money}。所有等待中的页面会在几秒内亮起按钮。',
  ],
  'ask.openNowText': ['Or open it now and do not wait for the clock.', '也可以不等时间，现在立即开启。'],
  'ask.pause': ['Pause this sale?', '暂停这场活动？'],
  'ask.pauseText': [
    'Nobody can buy until you resume. Orders already taken stay as they are.',
    '恢复之前任何人都不能购买，已产生的订单不受影响。',
  ],
  'ask.resume': ['Resume this sale?', '恢复这场活动？'],
  'ask.resumeText': ['Shoppers can buy again within a few seconds.', '几秒后购物者可以继续购买。'],
  'ask.close': ['Close this sale for good?', '永久关闭这场活动？'],
  'ask.closeText': [
    'Every page shows “ended” within seconds. Orders already taken stay. A closed sale cannot be opened again.',
    '所有页面会在几秒内显示“已结束”，已有订单保留。关闭后无法再次开启。',
  ],
  'ask.delete': ['Delete this sale?', '删除这场活动？'],
  'ask.deleteText': [
    'It has never been started, so nobody loses anything. This cannot be undone.',
    '活动从未开启，不会影响任何人。删除后无法恢复。',
  ],
  'ask.repeat': ['Apply the last change again?', '重新应用上次更改？'],
  'ask.repeatText': [
    'It is asked for once more, so that it reaches every part. Nothing else changes.',
    '将再次下发该更改，使各部分保持一致，其他内容不变。',
  ],
  'ask.recover': ['Rebuild this sale?', '重建这场活动？'],
  'ask.recoverText': [
    'Nobody can buy while it is rebuilt. Messages still on their way are written first; then Redis gets the units of every order back, and the sale opens again.',
    '重建期间任何人都不能购买：先写入仍在途中的消息，再按订单恢复 Redis 中的数量，然后重新开放活动。',
  ],
  'ask.recoverAfter': [
    'No written order is lost. If it is cut off, the sale stays closed to buyers until it is done once more.',
    '已写入的订单都会保留。如果中断，活动将保持不可购买，直到再次完成重建。',
  ],
  'ask.refund': ['Refund this order?', '退款这个订单？'],
  'ask.refundText': ['Order {id}', '订单 {id}'],
  'ask.refundAfter': [
    'Paid, all of its money goes back; unpaid, it is cancelled. Its units can be bought again. This cannot be undone.',
    '已付款则全额退还，未付款则取消订单；商品可再次被购买。此操作无法撤销。',
  ],
  'ask.back': ['Not yet', '再想想'],
} as const satisfies Messages

const live = {
  'live.title': ['Live', '实时'],
  'live.remaining': ['Remaining', '剩余'],
  'live.booked': ['Reserved', '已锁定'],
  'live.sold': ['Orders written (units)', '已写入订单（件）'],
  'live.orders': ['Standing orders', '有效订单'],
  'live.drift': ['Redis beyond orders', 'Redis 与订单之差'],
  'live.outbox': ['Not yet in the queue', '待入队'],
  'live.queue': ['Waiting in the queue', '队列等待'],
  'live.inFlight': ['Being written', '写入中'],
  'live.deadLetters': ['Dead letters', '死信'],
  'live.admissions': ['Clicks still let through', '剩余放行次数'],
  'live.out': ['Let through, not settled', '已放行待确认'],
  'live.claimed': ['Money credited', '已入账金额'],
  'live.left': ['Money left', '剩余金额'],
  'live.returned': ['Money returned', '已退回金额'],
  'live.chart': [
    'Remaining units and written orders over the last minutes',
    '最近几分钟的剩余数量与已写入订单',
  ],
  'live.unlimited': ['Unlimited', '不限量'],
  'live.waiting': ['Numbers appear once the stock is on the shelf.', '库存上架后显示实时数据。'],
  'live.lost': [
    'The numbers are old: the shop does not answer. Trying again …',
    '数据已过时：商店无响应，正在重试…',
  ],
  'live.dark.redis': [
    'Redis does not answer. What remains, what is reserved and what waits for the queue is unknown (–), and nobody can buy.',
    'Redis 无响应：剩余、已锁定和待入队数量未知（–），目前无法购买。',
  ],
  'live.dark.sqs': [
    'SQS does not answer. What waits in the queue, what is being written and the dead letters are unknown (–).',
    'SQS 无响应：队列等待、写入中和死信数量未知（–）。',
  ],
  'live.dark.gate': [
    'The store of the gate does not answer. How many clicks are still let through is unknown (–), and every click is asked to come back in a moment.',
    '闸门的存储无响应：剩余放行次数未知（–），所有点击都会被告知稍后再试。',
  ],
  'live.behind': [
    'The newest state of this sale is not known to be everywhere yet. Press “{action}” again until this line is gone.',
    '本活动的最新状态尚未确认全部生效。请再次点击“{action}”，直到此提示消失。',
  ],
  'live.stockLost': [
    'Redis holds no stock of this sale, so nobody can buy. It is rebuilt from the orders within minutes; “Recover” does it at once.',
    'Redis 中没有本活动的库存，目前无法购买。系统会在几分钟内按订单重建，点击“恢复”可立即进行。',
  ],
  'live.fenced': [
    'This sale is being rebuilt: nobody can buy until it is done.',
    '本活动正在重建，完成前任何人都不能购买。',
  ],
  'stock.title': ['Stock', '库存'],
  'stock.now': ['{total} in total, {booked} reserved', '共 {total} 件，已锁定 {booked} 件'],
  'stock.unknown': [
    '{total} in total; how many are reserved is unknown right now',
    '共 {total} 件，已锁定数量暂时未知',
  ],
  'stock.again': [
    'We could not tell whether the stock changed. Press the same button again: the change is counted once.',
    '暂时无法确认库存是否已更改。请再按一次同一按钮：只会计入一次。',
  ],
  'stock.delta': ['Units to add or take away', '增加或减少的数量'],
  'stock.add': ['Add', '增加'],
  'stock.remove': ['Take away', '减少'],
  'stock.split': [
    '{stock} with {money}. They are split in advance and cannot be changed: none can be added or taken away.',
    '{stock}，共 {money}。红包已提前拆分，不可更改，也不能增减。',
  ],
  'stock.unlimited': ['The stock is unlimited; there is nothing to add.', '库存不限量，无需调整。'],
} as const satisfies Messages

const codes = {
  'codes.title': ['Coupon codes', '兑换码'],
  'codes.text': [
    'One line for each code: its order, and whether it is valid or void. Whoever holds a code can redeem it, so keep the file secret.',
    '每行一个兑换码，含所属订单及是否有效。持码即可兑换，请妥善保管文件。',
  ],
  'codes.download': ['Download the coupon codes (CSV)', '下载兑换码（CSV）'],
  'codes.loading': ['Reading the codes …', '正在读取兑换码…'],
  'codes.part': ['Part {done} of {of}', '第 {done} 部分，共 {of} 部分'],
  'codes.done': ['The codes are in your downloads.', '兑换码已保存到下载文件夹。'],
} as const satisfies Messages

const care = {
  'care.title': ['Upkeep', '维护'],
  'care.agree': ['Redis and the orders agree.', 'Redis 与订单一致。'],
  'care.driftUnknown': [
    'Whether Redis and the orders agree cannot be told right now.',
    '暂时无法判断 Redis 与订单是否一致。',
  ],
  'care.moreInRedis': [
    'Redis holds {n} {n|unit|units} more than the orders do. “Check now” puts that right.',
    'Redis 比订单多锁定 {n} 件，点击“立即检查”修复。',
  ],
  'care.fewerInRedis': [
    'Redis holds {n} {n|unit|units} fewer than the orders do. “Check now” puts that right.',
    'Redis 比订单少锁定 {n} 件，点击“立即检查”修复。',
  ],
  'care.check': ['Check now', '立即检查'],
  'care.checked': ['Checked: Redis and the orders agree.', '检查完成：Redis 与订单一致。'],
  'care.checkedDrift': [
    'Checked: Redis and the orders differed by {n}, and what can be put right is.',
    '检查完成：Redis 与订单相差 {n} 件，可修复的均已修复。',
  ],
  'care.checkedUnknown': [
    'Checked. Some reservations are still on their way, so the numbers cannot be compared yet.',
    '检查完成。仍有预订在途，暂时无法比较数量。',
  ],
  'care.dead': [
    '{n} {n|message|messages} could not be handled (all sales).',
    '有 {n} 条消息无法处理（所有活动）。',
  ],
  'care.sendAgain': ['Send again', '重新发送'],
  'care.sentAgain': ['{moved} sent again, {left} left.', '已重新发送 {moved} 条，剩余 {left} 条。'],
  'care.table': ['Download the orders (CSV)', '下载订单（CSV）'],
  'care.more': ['More', '更多'],
  'care.recoverHint': [
    'Rebuilds the sale in Redis from its orders. Only needed when Redis has lost or forgotten something.',
    '按订单在 Redis 中重建活动，仅在 Redis 丢失数据时需要。',
  ],
  'care.recover': ['Recover', '恢复'],
  'care.recovering': ['Rebuilding. Nobody can buy meanwhile …', '正在重建，期间无法购买…'],
  'care.recovered': [
    'Rebuilt: {orders} {orders|order|orders} with {units} {units|unit|units}.',
    '重建完成：{orders} 个订单，共 {units} 件。',
  ],
  'care.unsure': [
    'We could not tell whether that was done. Press again: it does no harm.',
    '暂时无法确认是否完成，请再按一次，不会有副作用。',
  ],
  'refund.title': ['Refund an order', '订单退款'],
  'refund.order': ['Order number', '订单号'],
  'refund.do': ['Refund', '退款'],
  'refund.wrong': [
    'An order number, as it stands on the shopper’s order page.',
    '请输入购物者订单页上的订单号。',
  ],
  'refund.unknown': ['No written order has this number.', '没有此编号的已写入订单。'],
  'refund.cancelled': ['Cancelled: no payment had arrived.', '已取消，尚未收到付款。'],
  'refund.due': ['The money is on its way back.', '款项正在退还。'],
  'refund.done': ['The money was sent back.', '款项已退还。'],
} as const satisfies Messages

export const consoleMessages = {
  ...sharedMessages,
  ...problemMessages,
  ...form,
  ...kind,
  ...split,
  ...slot,
  ...gate,
  ...block,
  ...start,
  ...flip,
  ...live,
  ...codes,
  ...care,
  ...kindMessages,
  'console.title': ['Console', '控制台'],
  'console.sales': ['Sales', '活动'],
  'console.blocks': ['Block list', '封禁名单'],
  'console.audit': ['Audit', '审计'],
  'console.new': ['New sale', '新建活动'],
  'console.empty': ['No sales yet. Create the first one.', '还没有活动，请先创建。'],
  'console.loading': ['Loading …', '读取中…'],
  'console.failed': ['The shop does not answer. Trying again …', '商店无响应，正在重试…'],
  'console.signIn': ['Sign in as marketer', '以运营身份登录'],
  'console.signedIn': [
    'You are signed in. Close this tab: the form in the other one is being saved.',
    '登录成功。请关闭此标签页，原页面的表单正在保存。',
  ],
  'console.page': ['See the page', '查看页面'],
  'console.back': ['All sales', '全部活动'],
  'console.stockOf': ['{n} {n|unit|units}', '{n} 件'],
  'console.starts': ['Starts', '开始'],
  'console.ends': ['Ends', '结束'],
  'console.kind': ['Kind', '类型'],
  'console.price': ['Price', '价格'],
  'console.limit': ['Per shopper', '每人限购'],
  'console.packets': ['Packets', '红包'],
  'console.total': ['Money in all', '总金额'],
  'console.validFrom': ['Coupons good from', '优惠券生效'],
  'console.validUntil': ['Coupons good until', '优惠券失效'],
  'console.version': ['Version', '版本'],
  'console.epoch': ['Openings', '开启次数'],
  'console.more': ['Load more', '加载更多'],
  'console.facts': ['Settings', '设置'],
  'audit.day': ['Day (UTC)', '日期（UTC）'],
  'audit.empty': ['Nothing was changed on this day.', '当天没有变更。'],
  'audit.when': ['When', '时间'],
  'audit.who': ['Who', '操作人'],
  'audit.what': ['What', '操作'],
  'audit.sale': ['Sale', '活动'],
  'audit.change': ['Before and after', '变更前后'],
} as const satisfies Messages
