/** Words of the sign-in page, which exists on one machine only. */
import { problemMessages } from './problems.ts'
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

export const signInMessages = {
  ...sharedMessages,
  ...problemMessages,
  'signIn.title': ['Sign in', '登录'],
  'signIn.lead': [
    'On this machine any name will do. A deployed shop uses its own identity provider here.',
    '本机演示可使用任意名字；正式部署时由您的身份服务负责登录。',
  ],
  'signIn.name': ['Your name', '名字'],
  'signIn.nameHint': ['Letters, digits and . _ @ | : + -', '可用字母、数字和 . _ @ | : + -'],
  'signIn.nameWrong': [
    'Use 1 to 128 letters, digits or . _ @ | : + -',
    '请输入 1 到 128 个字母、数字或 . _ @ | : + -',
  ],
  'signIn.role': ['I am here to', '我要'],
  'signIn.shopper': ['Shop', '购物'],
  'signIn.shopperHint': ['Wait, press, own', '等待开抢，下单购买'],
  'signIn.marketer': ['Run sales', '运营活动'],
  'signIn.marketerHint': ['Create sales and open them', '创建活动并开启抢购'],
  'signIn.submit': ['Continue', '继续'],
  'signIn.sending': ['Signing in …', '正在登录…'],
  'signIn.failed': ['Signing in did not work. Is this the local shop?', '登录失败，请确认这是本机商店。'],
} as const satisfies Messages
