/** Words of the wallet page. */
import { problemMessages } from './problems.ts'
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

export const walletMessages = {
  ...sharedMessages,
  ...problemMessages,
  'wallet.title': ['My wallet', '我的钱包'],
  'wallet.pageTitle': ['My wallet', '我的钱包'],
  'wallet.loading': ['Loading your wallet…', '正在加载钱包…'],
  'wallet.balance': ['Balance', '余额'],
  'wallet.statement': ['Statement', '钱包明细'],
  'wallet.credit': ['Red packet', '红包'],
  'wallet.payout.requested': ['Withdrawal on its way', '提现处理中'],
  'wallet.payout.paid': ['Withdrawal', '提现'],
  'wallet.payout.refused': ['Withdrawal declined', '提现失败'],
  'wallet.returned': ['Withdrawal returned', '提现退回'],
  'wallet.reason.account': [
    'Your payout account can’t receive money yet. Withdraw again to complete it.',
    '收款账户暂不可用，请重新提现并完善账户信息。',
  ],
  'wallet.reason.amount': ['The amount can’t be paid out. Contact the shop.', '该金额无法提现，请联系商家。'],
  'wallet.reason.currency': [
    'Your payout account doesn’t accept this currency. Contact the shop.',
    '收款账户不支持该币种，请联系商家。',
  ],
  'wallet.after': ['Balance {money}', '余额 {money}'],
  'wallet.withdraw': ['Withdraw', '提现'],
  'wallet.inShop': ['See your balance in the shop', '到商城查看余额'],
  'wallet.withdrawing': ['Withdrawing…', '提现中…'],
  'wallet.onItsWay': ['{money} is on its way to you.', '{money} 提现处理中。'],
  'wallet.minimum': ['You can withdraw {money} or more.', '满 {money} 可提现。'],
  'wallet.withdrawn.requested': ['Your withdrawal is on its way.', '提现申请已提交，请留意到账。'],
  'wallet.withdrawn.paid': ['Your withdrawal was paid.', '提现成功。'],
  'wallet.withdrawn.refused': [
    'Your withdrawal was declined. The money is back in your wallet.',
    '提现失败，金额已退回钱包。',
  ],
  'wallet.withdrawFailed': ['The withdrawal failed. Try again.', '提现未成功，请重试。'],
  'wallet.withdrawUnknown': ['Checking whether your withdrawal went through…', '正在确认提现是否成功…'],
  'wallet.download': ['Download statement (CSV)', '下载明细（CSV）'],
  'wallet.downloadFailed': ['The download failed. Try again.', '下载失败，请重试。'],
  'csv.time': ['Time ({zone})', '时间（{zone}）'],
  'csv.what': ['Description', '说明'],
  'csv.amount': ['Amount', '金额'],
  'csv.currency': ['Currency', '币种'],
  'csv.reference': ['Reference', '编号'],
  'wallet.newest': ['Showing your latest {n}.', '仅显示最近 {n} 条。'],
  'wallet.empty': ['No red packets yet.', '还没有红包，快去抢一个吧。'],
  'wallet.toShop': ['Browse sales', '去逛逛'],
  'wallet.signIn': ['Sign in to see your wallet.', '登录后即可查看钱包。'],
  'wallet.failed': ['Can’t connect. Trying again…', '网络异常，正在重试…'],
} as const satisfies Messages
