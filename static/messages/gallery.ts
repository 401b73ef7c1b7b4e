/** Words of the pictures of a sale. */
import type { Messages } from './text.ts'

export const galleryMessages = {
  'gallery.label': ['Pictures', '商品图片'],
} as const satisfies Messages
