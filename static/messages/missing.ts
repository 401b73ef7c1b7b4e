/** Words of the page at an address where there is nothing. */
import type { Messages } from './text.ts'

export const missingMessages = {
  'missing.title': ['Page not found', '页面不存在'],
  'missing.lead': ['Check the address, or go back to the shop.', '请检查网址，或返回首页看看。'],
  'missing.toShop': ['Go to the shop', '返回首页'],
  'missing.toOrders': ['My orders', '我的订单'],
} as const satisfies Messages
