/** Words that stand on every page: the frame, the phases and the units of time. */
import type { Messages } from './text.ts'

export const sharedMessages = {
  'nav.orders': ['Orders', '我的订单'],
  'nav.wallet': ['Wallet', '钱包'],
  'nav.signIn': ['Sign in', '登录'],
  'nav.signOut': ['Sign out', '退出登录'],
  'nav.skip': ['Skip to content', '跳到主要内容'],
  'nav.label': ['Main', '主导航'],
  'nav.language': ['中文', 'English'],
  'foot.line': [
    'Start times follow our server’s clock. We never sell more than we have.',
    '开抢时间以服务器时间为准，绝不超卖。',
  ],
  'phase.loading': ['Loading…', '加载中…'],
  'phase.draft': ['Coming soon', '即将上线'],
  'phase.scheduled': ['Upcoming', '即将开始'],
  'phase.delayed': ['Delayed', '已推迟'],
  'phase.open': ['Live now', '抢购中'],
  'phase.paused': ['Paused', '已暂停'],
  'phase.held-back': ['Checking stock', '库存核对中'],
  'phase.sold-out': ['Sold out', '已抢完'],
  'phase.ended': ['Ended', '已结束'],
  'time.d': ['d', '天'],
  'time.days': ['days', '天'],
  'time.hours': ['hours', '时'],
  'time.minutes': ['min', '分'],
  'time.seconds': ['sec', '秒'],
} as const satisfies Messages
