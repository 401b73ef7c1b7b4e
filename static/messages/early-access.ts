/**
 * Words of early access on the page of a sale. They are printed into the page in every language, so
 * that the script of sales without it does not carry them.
 */
import type { Messages } from './text.ts'

export const earlyAccessMessages = {
  'member.title': ['Early access', '会员优先购'],
  'member.level': [
    'Level {level} and up: {minutes} min before everyone else',
    '{level} 级及以上会员可提前 {minutes} 分钟购买',
  ],
  'member.list': ['Invited members: {minutes} min before everyone else', '受邀会员可提前 {minutes} 分钟购买'],
  'member.both': [
    'Level {level} and up, and invited members: {minutes} min before everyone else',
    '{level} 级及以上会员和受邀会员可提前 {minutes} 分钟购买',
  ],
  'member.onlyTitle': ['By invitation', '受邀专享'],
  'member.onlyList': ['Only invited members can buy', '仅限受邀会员购买'],
  'member.onlyBoth': [
    'Only members of level {level} and up, and invited members, can buy',
    '仅限 {level} 级及以上会员和受邀会员购买',
  ],
  'member.onlyDrawn': ['Only winners of the draw can buy', '仅限中签者购买'],
  'member.now': ['Members can buy now. Everyone else in', '会员优先购进行中，其他用户还需等待'],
  'member.signIn': ['Sign in to use early access', '登录后可享优先购'],
} as const satisfies Messages
