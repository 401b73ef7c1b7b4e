/** Words of the console for the sales of now and of the day around it, above the list. */
import type { Messages } from '../text.ts'

export const homeMessages = {
  'home.title': ['Now and within a day', '当前与前后 24 小时'],
  'home.waiting': ['Requests under way', '处理中的请求'],
  'home.opens': ['Opens', '开始时间'],
  'home.more': ['{n} more {n|sale|sales}: show them all', '还有 {n} 场活动，查看全部'],
  'home.unknown': [
    'Its stock isn’t responding or is being rebuilt, so the number left is unknown. Open it to see what to do.',
    '库存服务无响应或正在重建，剩余数量未知。请打开该活动查看处理办法。',
  ],
} as const satisfies Messages
