/** Words of the pictures and prices of a sale. */
import type { Messages } from './text.ts'

export const galleryMessages = {
  'gallery.label': ['Pictures', '商品图片'],
  'price.list': ['Regular price:', '原价：'],
} as const satisfies Messages
