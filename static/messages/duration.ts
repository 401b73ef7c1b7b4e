/** Words of a length of time that was measured. */
import type { Messages } from './text.ts'

export const durationMessages = {
  'duration.seconds': ['{n} s', '{n} 秒'],
  'duration.minutes': ['{m} min {s} s', '{m} 分 {s} 秒'],
  'duration.wholeMinutes': ['{m} min', '{m} 分钟'],
  'duration.hours': ['{h} h {m} min', '{h} 小时 {m} 分'],
  'duration.wholeHours': ['{h} h', '{h} 小时'],
  'duration.days': ['{d} d {h} h', '{d} 天 {h} 小时'],
  'duration.wholeDays': ['{d} d', '{d} 天'],
} as const satisfies Messages
