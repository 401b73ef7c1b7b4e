/** Words of the footer that a page carries in both languages, so that no script does. */
import type { Messages } from './text.ts'

export const footerMessages = {
  'foot.support': ['Contact us', '联系客服'],
} as const satisfies Messages
