/** What the console says when one of its files cannot be loaded. Its script has both languages of them. */
import type { Messages } from '../text.ts'

export const partMessages = {
  'part.title': ['Console', '运营后台'],
  'part.failed': [
    'This part of the console couldn’t be loaded. Check your connection and try again.',
    '页面加载失败，请检查网络后重试。',
  ],
  'part.retry': ['Try again', '重试'],
  'part.language': [
    'Chinese couldn’t be loaded. Check your connection, reload the page and switch again.',
    '英文版加载失败，请检查网络，刷新页面后再切换。',
  ],
} as const satisfies Messages
