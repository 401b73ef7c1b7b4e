/**
 * Words for every problem code: those that a click can meet, and those that only other pages and
 * programs do.
 */
import type { ProblemCode } from '../../core/outcome.ts'
import { clickProblems, wrongRequest } from './click-problems.ts'
import type { Text } from './text.ts'

export const problemMessages = {
  ...clickProblems,
  'problem.at-capacity': [
    'Many people are trying right now. Places may still open up: try again in {seconds} s.',
    '当前抢购人数过多，可能仍有名额释放，请 {seconds} 秒后再试。',
  ],
  'problem.origin-not-allowed': [
    'This request didn’t come from our shop. Open the sale from the shop page.',
    '请求来源异常，请从商城页面重新进入。',
  ],
  'problem.signature-invalid': ['This message isn’t signed correctly.', '该消息的签名无效。'],
  'problem.role-required': ['You need the role {roles} for this.', '您没有权限执行此操作，需要{roles}角色。'],
  'problem.not-found': ['Not found. Check the address.', '页面不存在，请检查网址。'],
  'problem.method-not-allowed': wrongRequest,
  'problem.conflict': [
    'That isn’t possible in the current state. Reload to see the latest.',
    '当前状态不支持该操作，请刷新后查看最新状态。',
  ],
  'problem.too-large': ['This is too much data for one request.', '数据量过大，无法一次处理。'],
  'problem.unsupported-media-type': wrongRequest,
} as const satisfies Record<`problem.${ProblemCode}`, Text>

/**
 * The catalogue key of a code in an answer; one that is newer than the page says that something is
 * wrong.
 */
export function keyOfProblem(code: string): keyof typeof problemMessages {
  const key = `problem.${code}`
  return isKnown(key) ? key : 'problem.invalid-request'
}

function isKnown(key: string): key is keyof typeof problemMessages {
  return Object.hasOwn(problemMessages, key)
}

/** The catalogue key of a code that this page expects. */
export function problemKey<C extends ProblemCode>(code: C): `problem.${C}` {
  return `problem.${code}`
}
