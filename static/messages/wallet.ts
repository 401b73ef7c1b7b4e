/** Words of the wallet page. */
import { problemMessages } from './problems.ts'
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

export const walletMessages = {
  ...sharedMessages,
  ...problemMessages,
  'wallet.title': ['My wallet', '我的钱包'],
  'wallet.loading': ['Fetching your wallet …', '正在读取钱包…'],
  'wallet.balance': ['Balance', '余额'],
  'wallet.credits': ['Red packets you caught', '抢到的红包'],
  'wallet.newest': ['These are your newest {n}.', '仅显示最近 {n} 个。'],
  'wallet.empty': [
    'Nothing in it yet. The next red packet may be yours.',
    '钱包还是空的，下一个红包也许就是您的。',
  ],
  'wallet.toShop': ['Go to the shop', '去商店看看'],
  'wallet.signIn': ['Sign in to see your wallet.', '登录后即可查看钱包。'],
  'wallet.failed': ['We cannot reach the shop. Trying again …', '无法连接商店，正在重试…'],
} as const satisfies Messages
