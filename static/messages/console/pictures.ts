/** Words of the pictures of a sale, in its form. */
import type { Messages } from '../text.ts'

export const pictureMessages = {
  'form.picturesHint': [
    'At least one, up to {max}. The first one also stands in lists, orders and link previews.',
    '1 到 {max} 张。第一张同时用于列表、订单和链接预览。',
  ],
  'picture.choose': ['Choose files, or drop them here', '选择文件，或拖放到此处'],
  'picture.addAddress': ['Add by address', '通过链接添加'],
  'picture.altHint': ['Read out to people who can’t see it.', '供屏幕阅读器朗读。'],
  'picture.progress': ['Upload', '上传进度'],
  'form.imageHint': ['An https URL or a path on this site', 'https 链接或本站路径'],
  'form.imageBroken': ['This image doesn’t load.', '图片无法加载。'],
} as const satisfies Messages
