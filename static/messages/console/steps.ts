/** Words of the console for the steps of a new sale: their names, the summary and its warnings. */
import type { Messages } from '../text.ts'

export const stepMessages = {
  'step.label': ['Steps', '步骤'],
  'step.what': ['What you sell', '活动商品'],
  'step.when': ['When and for whom', '时间与规则'],
  'step.check': ['Check and open', '核对并开启'],
  'step.at': ['Step {n} of {count}', '第 {n} 步，共 {count} 步'],
  'step.wrong': ['needs changes', '有待修改'],
  'step.done': ['done', '已完成'],
  'step.back': ['Back', '上一步'],
  'step.next': ['Next', '下一步'],
  'step.more': ['More', '更多选项'],
  'step.checkText': ['This is what the sale will do.', '请核对活动内容。'],
  'step.warnings': ['Worth a look before you save', '保存前请留意'],
  'summary.what': ['Offer', '内容'],
  'summary.when': ['Time', '时间'],
  'summary.start': ['Opening', '开启'],
  'summary.limit': ['Limits', '限制'],
  'summary.pay': ['Payment', '付款'],
  'summary.delivery': ['Delivery', '配送'],
  'summary.validity': ['Validity', '有效期'],
  'summary.turns': ['Random turns', '随机顺序'],
  'summary.turnsText': [
    'In the first {n} s, each shopper gets a turn at a random moment.',
    '开抢后的前 {n} 秒，系统为每位用户随机安排购买时刻。',
  ],
  'summary.check': ['Bot check', '人机验证'],
  'summary.money': ['Money', '金额'],
  'summary.units': [
    '{n} {n|unit|units} of “{title}” for {price} each.',
    '“{title}”共 {n} 件，每件 {price}。',
  ],
  'summary.unlimited': [
    '“{title}” for {price} each, as many units as shoppers order.',
    '“{title}”不限量，每件 {price}。',
  ],
  'summary.variants': ['There are {n} variants to choose from.', '共有 {n} 种规格可选。'],
  'summary.coupons': ['{n} {n|coupon|coupons} “{title}”, free of charge.', '“{title}”共 {n} 张，免费领取。'],
  'summary.couponsUnlimited': [
    'Coupons “{title}”, free of charge, as many as shoppers claim.',
    '“{title}”不限量，免费领取。',
  ],
  'summary.packets': [
    '{n} red {n|packet|packets} of “{title}”, with random amounts.',
    '“{title}”共 {n} 个红包，金额随机。',
  ],
  'summary.window': ['From {start} to {end}.', '{start} 开始，{end} 结束。'],
  'summary.windows': [
    'In {n} rounds. The first starts {start}, the last ends {end}.',
    '共 {n} 场，首场 {start} 开始，末场 {end} 结束。',
  ],
  'summary.byItself': [
    'Once it is scheduled, it opens by itself at {start}. A draft does not open.',
    '定时开启后，活动将于 {start} 自动开始。草稿不会开启。',
  ],
  'summary.atOnce': [
    'Its start time has come, so it can only be opened now. A draft does not open.',
    '开始时间已到，只能立即开启。草稿不会开启。',
  ],
  'summary.perPerson': [
    'Each person gets at most {limit}, and at most {order} in one order.',
    '每人限 {limit} 份，每单限 {order} 份。',
  ],
  'summary.onePacket': ['Each person gets at most 1 red packet.', '每人限抢 1 个红包。'],
  'summary.members': ['Only for members of level {n} and up.', '仅限 {n} 级及以上会员参与。'],
  'summary.payMinutes': [
    'An order that is not paid within {n} {n|minute|minutes} is cancelled, and its units are on sale again.',
    '超过 {n} 分钟未付款的订单自动取消，库存随即释放。',
  ],
  'summary.paySeconds': [
    'An order that is not paid within {n} {n|second|seconds} is cancelled, and its units are on sale again.',
    '超过 {n} 秒未付款的订单自动取消，库存随即释放。',
  ],
  'summary.payNothing': ['Nothing is to be paid: orders are complete at once.', '无需付款，下单后立即完成。'],
  'summary.address': [
    'Shoppers give a delivery address in {countries}.',
    '用户须填写收货地址，配送范围：{countries}。',
  ],
  'summary.noAddress': ['No delivery address is asked for.', '无需填写收货地址。'],
  'summary.validFrom': ['Coupons can be used from {from}.', '优惠券自 {from} 起可用。'],
  'summary.validUntil': ['Coupons can be used until {until}.', '优惠券有效期至 {until}。'],
  'summary.validBetween': [
    'Coupons can be used from {from} until {until}.',
    '优惠券有效期：{from} 至 {until}。',
  ],
  'summary.validAlways': [
    'Coupons can be used at once and do not expire.',
    '优惠券领取后即可使用，长期有效。',
  ],
  'summary.challenge.off': ['Off. Shoppers buy without a check.', '未开启，用户无需验证。'],
  'summary.challenge.pow': [
    'On. The shopper’s device solves a small puzzle before it can buy.',
    '已开启，用户设备须先完成一次运算验证。',
  ],
  'summary.challenge.turnstile': [
    'On. Shoppers pass Cloudflare Turnstile before they can buy.',
    '已开启，用户须先通过 Cloudflare Turnstile 验证。',
  ],
  'summary.revenue': [
    'If everything is sold and paid, this brings {amount}.',
    '全部售出并付款后，收入 {amount}。',
  ],
  'summary.payout': ['Up to {amount} is given to shoppers.', '最多向用户发放 {amount}。'],
  'summary.noMoney': ['No money changes hands.', '不涉及资金往来。'],
  'warn.past': [
    'The start time has passed: the sale can’t be scheduled, only opened now.',
    '开始时间已过，无法定时，只能立即开启。',
  ],
  'warn.soon': [
    'It starts in less than 5 minutes. A draft would not open then.',
    '距开始不足 5 分钟，草稿到点不会开启。',
  ],
  'warn.tooSlow': [
    'A round is too short to sell out: at {rate} admissions per second, at most {most} of its {stock} units can go.',
    '有场次时间过短，无法售完：每秒放行 {rate} 次，最多售出 {most} 件（共 {stock} 件）。',
  ],
  'warn.turnsTooLong': [
    'Random turns take longer than the sale: some shoppers could never buy. Use at most {seconds} seconds.',
    '随机顺序的时长超过了售卖时间，部分用户将无法购买。最多可设 {seconds} 秒。',
  ],
  'warn.noCountries': [
    'There are no delivery countries, so orders come without an address.',
    '未设置配送国家/地区，订单将没有收货地址。',
  ],
  'warn.free': ['The price is 0: every unit is given away.', '价格为 0，商品将全部免费送出。'],
  'warn.sample': ['A picture is one of the demo.', '仍在使用演示图片。'],
  'warn.oneTakesAll': ['One person could take the whole stock.', '一位用户即可买走全部库存。'],
} as const satisfies Messages
