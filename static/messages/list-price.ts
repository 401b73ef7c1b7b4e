/** The words before a price that is struck through. */
import type { Messages } from './text.ts'

export const listPriceMessages = {
  'price.list': ['Regular price:', '原价：'],
} as const satisfies Messages
