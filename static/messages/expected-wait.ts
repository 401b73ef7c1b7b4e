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
} as const satisfies Messages
