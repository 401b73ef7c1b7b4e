/** Words of the wallet page. */
import { problemMessages } from './problems.ts'
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

export const walletMessages = {
  ...sharedMessages,
  ...problemMessages,
  'wallet.title': ['My wallet', '我的钱包'],
  'wallet.pageTitle': ['My wallet · Sluice', '我的钱包 · Sluice'],
  'wallet.loading': ['Loading your wallet…', '正在加载钱包…'],
  'wallet.balance': ['Balance', '余额'],
  'wallet.credits': ['Red packets received', '红包记录'],
  'wallet.newest': ['Showing your latest {n}.', '仅显示最近 {n} 条。'],
  'wallet.empty': ['No red packets yet.', '还没有红包，快去抢一个吧。'],
  'wallet.toShop': ['Browse sales', '去逛逛'],
  'wallet.signIn': ['Sign in to see your wallet.', '登录后即可查看钱包。'],
  'wallet.failed': ['Can’t connect. Trying again…', '网络异常，正在重试…'],
} as const satisfies Messages
