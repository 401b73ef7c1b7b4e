/** Why requests to buy got no units, by the reason that `live` names; `demand.other` for one without words. */
import type { Messages, Text } from './text.ts'

export const demandMessages = {
  'demand.sold-out': ['Sold out', '已售罄'],
  'demand.at-capacity': ['Asked to wait: no place free', '无可用名额，请求等待'],
  'demand.not-started': ['Too early', '尚未开始'],
  'demand.not-your-turn': ['Before their turn', '未轮到'],
  'demand.limit-reached': ['Over the limit per person', '超出每人限购'],
  'demand.too-many-requests': ['Too many attempts', '操作过于频繁'],
  'demand.stale-page': ['Outdated page', '页面过期'],
  'demand.sign-in-required': ['Not signed in', '未登录'],
  'demand.challenge-required': ['Security check missing', '缺少安全验证'],
  'demand.challenge-failed': ['Security check failed', '安全验证未通过'],
  'demand.level-too-low': ['Member level too low', '会员等级不足'],
  'demand.blocked': ['Blocked', '已被封禁'],
  'demand.paused': ['While paused', '暂停期间'],
  'demand.ended': ['After the end', '结束之后'],
  'demand.unavailable': ['Temporarily unavailable', '暂时不可用'],
  'demand.invalid-request': ['Invalid request', '无效请求'],
  'demand.other': ['Other ({code})', '其他（{code}）'],
} as const satisfies Messages

/** The words of a reason; undefined for one of a newer version. */
export function demandReason(reason: string): Text | undefined {
  const known: Messages = demandMessages
  return Object.hasOwn(known, `demand.${reason}`) ? known[`demand.${reason}`] : undefined
}
