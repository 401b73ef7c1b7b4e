/** Words of the sign-in page, which exists on one machine only. */
import { problemMessages } from './problems.ts'
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

export const signInMessages = {
  ...sharedMessages,
  ...problemMessages,
  'signIn.title': ['Sign in', '登录'],
  'signIn.pageTitle': ['Sign in · Sluice', '登录 · Sluice'],
  'signIn.lead': [
    'Local demo: any name works. A deployed shop uses its own identity provider here.',
    '本机演示：输入任意用户名即可登录。正式部署后由您自己的登录服务处理。',
  ],
  'signIn.name': ['Name', '用户名'],
  'signIn.nameHint': ['Letters, digits and . _ @ | : + -', '可用字母、数字和 . _ @ | : + -'],
  'signIn.nameWrong': [
    'Use 1 to 128 letters, digits or . _ @ | : + -',
    '请输入 1 到 128 个字母、数字或 . _ @ | : + -',
  ],
  'signIn.role': ['I want to', '我要'],
  'signIn.shopper': ['Shop', '参与抢购'],
  'signIn.shopperHint': ['Join sales and place orders', '等待开抢、下单付款'],
  'signIn.marketer': ['Manage sales', '管理活动'],
  'signIn.marketerHint': ['Create and start sales', '创建并开启活动'],
  'signIn.submit': ['Continue', '继续'],
  'signIn.sending': ['Signing in…', '正在登录…'],
  'signIn.failed': [
    'Couldn’t sign in. Check that the local shop is running.',
    '登录失败，请确认本机服务已启动。',
  ],
} as const satisfies Messages
