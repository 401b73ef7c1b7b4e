/** Words of the page at an address where there is nothing. */
import type { Messages } from './text.ts'

export const missingMessages = {
  'missing.title': ['There is nothing at this address', '这个网址上没有内容'],
  'missing.lead': [
    'Perhaps a letter is missing, or what was here is gone.',
    '可能是网址有误，或者原来的内容已经撤下。',
  ],
  'missing.toShop': ['Go to the shop', '去商店看看'],
  'missing.toOrders': ['Your orders', '我的订单'],
} as const satisfies Messages
