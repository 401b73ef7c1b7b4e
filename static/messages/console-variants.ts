/** Words of the console for the variants of a sale, such as sizes (N1). */
import type { Messages } from './text.ts'

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
  'product.title': ['Combine colours and sizes', '按颜色、尺码批量生成'],
  'product.first': ['Colours', '颜色'],
  'product.firstHint': ['For example black, white', '例如 黑色、白色'],
  'product.second': ['Sizes', '尺码'],
  'product.secondHint': ['For example S, M, L; may be empty', '例如 S、M、L，可不填'],
  'product.stock': ['Stock of each', '每种规格的库存'],
  'product.fill': ['Fill in the variants', '生成规格'],
  'product.filled': [
    'Filled in {n} variants. Check them below before you save.',
    '已生成 {n} 种规格，保存前请在下方核对。',
  ],
  'error.product': [
    'This gives {n} {n|variant|variants}. A sale has 2 to {max}.',
    '将生成 {n} 种规格，每个活动须有 2 到 {max} 种。',
  ],
  'error.variants': [
    'A sale has 2 to {max} variants, with units in each round.',
    '每个活动须有 2 到 {max} 种规格，且每场须有库存。',
  ],
  'error.variantName': ['Enter at most {max} characters.', '最多 {max} 个字符。'],
  'error.variantId': [
    'Use 1 to 16 lower-case letters, digits or hyphens, with no hyphen at either end.',
    '请使用 1 到 16 个小写字母、数字或连字符，首尾不能是连字符。',
  ],
  'error.variantTwice': ['Another variant has this already.', '与其他规格重复。'],
  'find.variants': ['Variants', '规格'],
  'variants.title': ['Stock by variant', '各规格库存'],
  'variants.name': ['Variant', '规格'],
  'variants.total': ['Total', '总库存'],
  'variants.booked': ['Reserved', '已锁定'],
  'variants.left': ['Remaining', '剩余'],
  'variants.soldOut': ['Sold out', '已抢完'],
  'variants.which': ['Variant to change', '调整的规格'],
} as const satisfies Messages
