/** What a shopper may expect who was refused because no place was free (core/sale/expected-wait.ts). */
import type { Messages } from './text.ts'

export const expectedWaitMessages = {
  'expected.seconds': [
    'At this pace it is usually decided within {n} seconds.',
    '按当前速度，通常 {n} 秒内会有结果。',
  ],
  'expected.minutes': [
    'At this pace it is usually decided within {n} {n|minute|minutes}.',
    '按当前速度，通常 {n} 分钟内会有结果。',
  ],
  'expected.chance': [
    'Of 10 shoppers who wait, about {low} to {high} get one.',
    '正在等待的人里，每 10 人约有 {low}～{high} 人能抢到。',
  ],
  'expected.atMost': [
    'Of 10 shoppers who wait, at most about {high} get one.',
    '正在等待的人里，每 10 人最多约有 {high} 人能抢到。',
  ],
  'expected.few': ['Fewer than 1 in 10 shoppers who wait get one.', '正在等待的人里，能抢到的不足十分之一。'],
  'expected.most': ['Almost all shoppers who wait get one.', '正在等待的人基本都能抢到。'],
} as const satisfies Messages
