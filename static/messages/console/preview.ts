/** Words of the console for the preview of a sale's page. */
import type { Messages } from '../text.ts'

export const previewMessages = {
  'preview.title': ['Preview', '预览'],
  'preview.frame': ['The page of the sale on a phone', '活动页面在手机上的效果'],
  'preview.close': ['Close', '关闭'],
  'preview.state': ['Moment', '时间点'],
  'preview.state.before': ['Before', '开始前'],
  'preview.state.open': ['Open', '进行中'],
  'preview.state.sold-out': ['Sold out', '已抢完'],
  'preview.language': ['Language', '语言'],
  'preview.scheme': ['Appearance', '外观'],
  'preview.scheme.light': ['Light', '浅色'],
  'preview.scheme.dark': ['Dark', '深色'],
  'preview.noTitle': ['Title', '活动标题'],
  'preview.noDescription': ['The description follows here.', '此处显示活动说明。'],
} as const satisfies Messages
