/** Texts of the security check, which come with that part of the sale page. */
import type { Messages } from './text.ts'

export const checkMessages = {
  'check.title': ['Security check', '安全验证'],
  'check.asking': ['Please complete the security check below.', '请完成下方的安全验证。'],
  'check.working': ['Security check in progress…', '安全验证中…'],
  'check.passed': ['Security check passed.', '安全验证已通过。'],
  'check.waiting': [
    'Security check: the shop is busy. It continues by itself.',
    '当前访问人数较多，安全验证稍后会自动继续。',
  ],
  'check.failed': ['The security check failed.', '安全验证失败，请重试。'],
  'check.impossible': [
    'This browser can’t do the security check. Please use another browser or device.',
    '当前浏览器不支持安全验证，请更换浏览器或设备。',
  ],
  'check.again': ['Try again', '重新验证'],
} as const satisfies Messages
