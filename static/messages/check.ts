/** Words of the check that a shopper is a person, which come with that part of the sale page. */
import type { Messages } from './text.ts'

export const checkMessages = {
  'check.working': ['Checking that you are a person: working …', '真人验证：进行中…'],
  'check.passed': ['Checking that you are a person: done.', '真人验证：已完成。'],
  'check.waiting': [
    'Checking that you are a person: the shop is busy, and it goes on by itself.',
    '真人验证：商店繁忙，稍后会自动继续。',
  ],
  'check.failed': ['Checking that you are a person: it could not be done.', '真人验证：未能完成。'],
  'check.impossible': [
    'Checking that you are a person: this browser cannot do it. Please use another browser or device.',
    '真人验证：当前浏览器无法进行，请更换浏览器或设备。',
  ],
  'check.again': ['Try the check again', '重新验证'],
} as const satisfies Messages
