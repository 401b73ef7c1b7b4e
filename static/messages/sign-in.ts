/** Words of the log-in page, which exists on one machine only. */
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

export const signInMessages = {
  ...sharedMessages,
  'signIn.title': ['Sign in', '登录'],
  'signIn.pageTitle': ['Sign in', '登录'],
  'signIn.lead': [
    'Local demo: any name works. A deployed shop uses its own identity provider here.',
    '本机演示：输入任意用户名即可登录。正式部署后由您自己的登录服务处理。',
  ],
  'signIn.name': ['Name', '用户名'],
  'signIn.nameHint': [
    'Ready to use: ann, ben, mia (marketer), sam (support), vic (viewer)',
    '内置账号：ann、ben、mia（运营）、sam（客服）、vic（只读）',
  ],
  'signIn.nameWrong': [
    'Use 1 to 128 letters, digits or . _ @ | : + -',
    '请输入 1 到 128 个字母、数字或 . _ @ | : + -',
  ],
  'signIn.role': ['I want to', '我要'],
  'signIn.shopper': ['Shop', '参与抢购'],
  'signIn.shopperHint': ['Join sales and place orders', '等待开抢、下单付款'],
  'signIn.marketer': ['Manage sales', '管理活动'],
  'signIn.marketerHint': ['Create and start sales', '创建并开启活动'],
  'signIn.support': ['Help customers', '服务顾客'],
  'signIn.supportHint': ['Find and refund orders', '查询订单、办理退款'],
  'signIn.viewer': ['Read reports', '查看数据'],
  'signIn.viewerHint': ['See numbers, change nothing', '只看数据，不做修改'],
  'signIn.oneFactor': ['Without a second factor', '不使用两步验证'],
  'signIn.oneFactorHint': [
    'The session gets no role, as in a deployed shop',
    '与正式环境一致，登录后不授予后台角色',
  ],
  'signIn.submit': ['Continue', '继续'],
} as const satisfies Messages
