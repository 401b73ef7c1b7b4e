/** Words of the activity log that no other view has. */
import type { Messages } from '../text.ts'

export const auditMessages = {
  'audit.day': ['Date (UTC)', '日期（UTC）'],
  'audit.empty': ['No changes on this day.', '当天没有操作记录。'],
  'audit.when': ['Time', '时间'],
  'audit.who': ['User', '操作人'],
  'audit.what': ['Action', '操作'],
  'audit.sale': ['Sale', '活动'],
  'audit.more': ['and {n} more', '另有 {n} 项'],
  'audit.change': ['Changes', '变更内容'],
} as const satisfies Messages
