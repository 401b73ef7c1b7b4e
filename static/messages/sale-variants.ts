/** Words of the sale page of goods with variants, such as sizes, of which a shopper chooses (N1). */
import { saleMessages } from './sale.ts'
import type { Messages } from './text.ts'

export const variantSaleMessages = {
  ...saleMessages,
  'variants.one': ['Choose an option', '选择规格'],
  'variants.several': ['Choose your options', '选择规格与数量'],
  'variants.sum': ['{n} of at most {most}', '已选 {n} 件，最多 {most} 件'],
  'variants.few': ['Only {n} left', '仅剩 {n} 件'],
  'variants.ask': ['Choose an option first.', '请先选择规格。'],
  'variants.soldOut': [
    'Sold out: {names}. Choose another option.',
    '手慢了，{names} 已抢完，请选择其他规格。',
  ],
  'variants.fewer': [
    'Not enough left: {names}. Choose fewer, or another option.',
    '{names} 库存不足，请减少数量或选择其他规格。',
  ],
  'variants.back': ['Back in stock: {names}.', '{names} 又有货了，快抢！'],
} as const satisfies Messages
