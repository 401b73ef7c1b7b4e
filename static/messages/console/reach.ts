/** Words of the console for reminders and invitations, loaded with the page of a sale. */
import type { Messages } from '../text.ts'

export const reachMessages = {
  'reach.remindersAsked': [
    '{asked} {asked|person|people} asked to be reminded of the start. Plan for more shoppers than that.',
    '{asked} 人设置了开售提醒，请按更多人数评估容量。',
  ],
  'reach.remindersSent': [
    'Reminders: {asked} asked for, {sent} sent, {opened} followed the link while signed in.',
    '开售提醒：{asked} 人设置，已发送 {sent} 封，{opened} 人登录后点击了链接。',
  ],
} as const satisfies Messages
