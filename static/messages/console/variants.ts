/** Words of the console for the variants of a sale, such as sizes (N1). */
import type { Messages } from '../text.ts'

export const variantMessages = {
  'variant.title': ['Variants', '商品规格'],
  'variant.hint': [
    'Sizes or colours, each with a stock of its own. Leave this empty if all units are the same.',
    '如尺码、颜色，每种规格单独设置库存。没有规格之分时无需填写。',
  ],
  'variant.stockNote': [
    'Stock is set for each variant. With several rounds, each round brings these units.',
    '库存按规格分别设置；分多场进行时，每场均上架这些数量。',
  ],
  'variant.nth': ['Variant {n}', '规格 {n}'],
  'variant.name': ['Name', '名称'],
  'variant.id': ['ID', '规格 ID'],
  'variant.stock': ['Stock', '库存'],
  'variant.sum': ['{n} {n|unit|units} in total', '合计 {n} 件'],
  'variant.add': ['Add a variant', '添加规格'],
  'variant.remove': ['Remove variant {n}', '删除规格 {n}'],
  'window.ownUnits': ['Units of this round: {lines}', '本场数量：{lines}'],
  'error.product': [
    'This gives {n} {n|variant|variants}. A sale has 2 to {max}.',
    '将生成 {n} 种规格，每个活动须有 2 到 {max} 种。',
  ],
  'error.variants': [
    'A sale has 2 to {max} variants, with units in each round.',
    '每个活动须有 2 到 {max} 种规格，且每场须有库存。',
  ],
  'error.variantsSum': [
    'All variants together can have at most {max} units.',
    '所有规格的库存合计不能超过 {max} 件。',
  ],
  'error.variantName': ['Enter at most {max} characters.', '最多 {max} 个字符。'],
  'error.variantId': [
    'Use 1 to 16 lower-case letters, digits or hyphens, with no hyphen at either end.',
    '请使用 1 到 16 个小写字母、数字或连字符，首尾不能是连字符。',
  ],
  'error.variantTwice': ['Another variant has this already.', '与其他规格重复。'],
  'reserve.title': ['Create an order', '代客下单'],
  'reserve.text': [
    'For a shopper who can’t order here. The sale must be open, and its limits apply.',
    '为无法自行下单的用户创建订单。活动须在进行中，限购规则同样适用。',
  ],
  'reserve.quantity': ['Quantity', '数量'],
  'reserve.do': ['Create order', '创建订单'],
  'reserve.noShopper': ['Enter a shopper ID.', '请输入用户 ID。'],
  'reserve.noUnits': ['Enter how many.', '请输入数量。'],
  'reserve.code.reserved': ['Order created:', '订单已创建：'],
  'reserve.code.repeat': ['This order exists already:', '订单已存在：'],
  'reserve.code.not-started': ['The sale hasn’t started.', '活动尚未开始。'],
  'reserve.code.paused': ['The sale is paused.', '活动已暂停。'],
  'reserve.code.ended': ['The sale has ended.', '活动已结束。'],
  'reserve.code.sold-out': ['Not enough units left.', '库存不足。'],
  'reserve.code.limit-reached': [
    'The shopper has reached the limit per person.',
    '该用户已达到每人限购数量。',
  ],
  'reserve.code.invalid-request': ['More than one order may have.', '超过每单限购数量。'],
  'reserve.code.too-many-requests': ['Too many requests. Try again in a moment.', '请求过多，请稍后再试。'],
  'reserve.code.unavailable': [
    'No answer. Try again: it is counted once.',
    '暂无响应，请重试，不会重复下单。',
  ],
  'find.variants': ['Variants', '规格'],
  'variants.title': ['Stock by variant', '各规格库存'],
  'variants.name': ['Variant', '规格'],
  'variants.total': ['Total', '总库存'],
  'variants.booked': ['Reserved', '已锁定'],
  'variants.left': ['Remaining', '剩余'],
  'variants.soldOut': ['Sold out', '已抢完'],
  'variants.which': ['Variant to change', '调整的规格'],
} as const satisfies Messages
