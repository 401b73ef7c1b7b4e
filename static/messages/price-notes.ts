/** What a price includes, in the HTML of a sale page alone: its script has no room for these words. */
import type { Messages } from './text.ts'

export const priceNoteMessages = {
  'note.vat': ['incl. {percent} % VAT', '已含 {percent}% 增值税'],
  'note.tax': ['incl. {percent} % tax', '已含税（{percent}%）'],
  'note.delivery': ['plus delivery from {amount}', '运费 {amount} 起'],
  'note.deliveryAt': ['plus {amount} delivery', '另加运费 {amount}'],
  'note.freeAbove': ['free delivery from {amount}', '满 {amount} 包邮'],
  'note.lowest': ['Lowest price of the last {days} days: {amount}', '近 {days} 日最低价：{amount}'],
} as const satisfies Messages
