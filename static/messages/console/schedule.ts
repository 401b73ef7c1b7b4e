/** Words of the schedule that fills in the rounds, in the form of a sale. */
import type { Messages } from '../text.ts'

export const scheduleMessages = {
  'schedule.title': ['Repeat every day', '每天重复'],
  'schedule.firstDay': ['First day', '首日'],
  'schedule.days': ['Number of days', '天数'],
  'schedule.times': ['Start times', '每天开抢时间'],
  'schedule.timesHint': ['For example 9, 10, 11:30', '例如 9、10、11:30'],
  'schedule.minutes': ['Length of a round (minutes)', '每场时长（分钟）'],
  'schedule.fill': ['Fill in the rounds', '生成场次'],
  'schedule.filled': [
    'Filled in {n} {n|round|rounds}. Check them below before you save.',
    '已生成 {n} 场，保存前请在下方核对。',
  ],
} as const satisfies Messages
