/** Words of the page where red packets rain. */
import { openingMessages } from './opening.ts'
import type { Messages } from './text.ts'

export const rainMessages = {
  ...openingMessages,
  'phase.open': ['Live now', '进行中'],
  'phase.sold-out': ['All gone', '已抢完'],
  'clock.ended': ['This red packet rain has ended', '红包雨已结束'],
  'button.ready': ['Grab a red packet', '抢红包'],
  'button.sending': ['Grabbing…', '正在抢…'],
  'button.won': ['You got one', '已抢到红包'],
  'button.sold-out': ['All gone', '已抢完'],
  'stock.left': ['{remaining} red {remaining|packet|packets} left', '剩余 {remaining} 个红包'],
  'stock.ready': ['{remaining} red {remaining|packet|packets} to grab', '本场共 {remaining} 个红包'],
  'stock.unlimited': ['Enough for everyone', '数量充足'],
  'status.signInEarly': [
    'Sign in before the start so that your red packet can go to your wallet.',
    '请提前登录，抢到的红包才能存入您的钱包。',
  ],
  'status.open': ['It’s live! Tap a red packet or the button.', '红包雨来啦！点击红包或下方按钮即可抢。'],
  'status.sending': ['Grabbing one for you…', '正在为您抢红包…'],
  'status.asking': ['Checking…', '正在确认…'],
  'status.won': ['You got {amount}! Adding it to your wallet…', '恭喜抢到 {amount}！正在存入钱包…'],
  'status.credited': ['You got {amount}. It’s in your wallet.', '恭喜抢到 {amount}，已存入钱包。'],
  'status.creditLate': [
    'You got {amount}. It’s yours, but your wallet takes longer than usual to show it.',
    '您已抢到 {amount}，入账稍有延迟，请稍后到钱包查看。',
  ],
  'status.repeat': ['You already got one: {amount}.', '每人限抢 1 个，您已抢到 {amount}。'],
  'status.unsure': [
    'We don’t know yet whether you got one. You can safely try again.',
    '暂未确认是否抢到，可放心再试。',
  ],
  'status.soldOut': ['All red packets are gone. Thanks for taking part!', '手慢了，红包已抢完，感谢参与！'],
  'status.roundSoldOut': [
    'All red packets of this round are gone. Keep this page open: the next round starts by itself.',
    '本场红包已抢完，请留在本页，下一场会自动开始。',
  ],
  'status.roundOver': [
    'This round has ended. Keep this page open: the next one starts by itself.',
    '本场已结束，请留在本页，下一场会自动开始。',
  ],
  'status.returned': ['More red packets: {remaining} left.', '又有红包了，还剩 {remaining} 个，快抢！'],
  'status.toWallet': ['View wallet', '查看钱包'],
  'problem.sold-out': ['Sorry, all red packets are gone.', '手慢了，红包已抢完。'],
  'problem.paused': [
    'Paused for a moment. Stay on this page: it continues by itself.',
    '红包雨暂停中，请留在本页，稍后会自动继续。',
  ],
  'problem.ended': ['This red packet rain has ended. Thanks for taking part!', '红包雨已结束，感谢参与！'],
  'problem.level-too-low': [
    'Your membership level is too low for this sale.',
    '本次红包雨仅限更高等级的会员参与。',
  ],
  'problem.blocked': [
    'This account or network can’t grab red packets. If this is a mistake, contact the shop.',
    '当前账号或网络暂时无法抢红包。如有疑问，请联系商家。',
  ],
  'rain.packets': ['in {n} red {n|packet|packets}', '共 {n} 个红包'],
  'rain.caught': ['You got', '恭喜抢到'],
  'purse.link': ['My wallet', '我的钱包'],
  'purse.onItsWay': ['Adding to your wallet', '正在存入钱包'],
  'purse.holds': ['Wallet balance', '钱包余额'],
  'round.units': ['{n} red {n|packet|packets}', '{n} 个红包'],
  'facts.title': ['How it works', '活动规则'],
  'facts.total': ['Total amount', '红包总额'],
  'facts.limit': ['Limit per person', '每人限抢'],
  'facts.onePacket': ['1 red packet', '1 个'],
  'facts.amounts': ['Amount in each', '红包金额'],
  'facts.luck': ['Random', '拼手气，金额随机'],
  'facts.goes': ['Paid into', '发放方式'],
  'facts.toWallet': ['Your wallet, within seconds', '数秒内存入钱包'],
} as const satisfies Messages
