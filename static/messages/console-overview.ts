/** Words of the console for the first screen of a sale. */
import type { Messages } from './text.ts'

export const overviewMessages = {
  'tables.title': ['Report and tables', '报表与数据导出'],
} as const satisfies Messages
