/** Words of the page where red packets rain. */
import { openingMessages } from './opening.ts'
import type { Messages } from './text.ts'

export const rainMessages = {
  ...openingMessages,
  'phase.open': ['Raining', '进行中'],
  'phase.sold-out': ['All caught', '已抢光'],
  'clock.endsIn': ['Raining now. Ends in', '红包雨进行中，距结束'],
  'clock.soldOut': ['All caught', '已抢光'],
  'clock.ended': ['The rain is over', '红包雨已结束'],
  'button.ready': ['Catch a packet', '抢红包'],
  'button.again': ['Try again', '再试一次'],
  'button.sending': ['Catching', '正在抢'],
  'button.won': ['You have yours', '已领到红包'],
  'button.sold-out': ['All caught', '已抢光'],
  'button.draft': ['Not open yet', '尚未开放'],
  'stock.left': ['{remaining} {remaining|packet|packets} left', '剩余 {remaining} 个红包'],
  'stock.ready': ['{remaining} {remaining|packet|packets} to catch', '本场共 {remaining} 个红包'],
  'stock.unlimited': ['Enough for everyone', '数量充足'],
  'status.signInEarly': [
    'Sign in before it starts, so that your packet finds your wallet.',
    '请在开始前登录，抢到的红包才能存入您的钱包。',
  ],
  'status.open': [
    'It is raining. Tap a packet, or press the button.',
    '红包雨开始了！点红包或按下按钮即可抢。',
  ],
  'status.sending': ['Catching one for you …', '正在为您抢红包…'],
  'status.asking': ['Asking the shop …', '正在向商店确认…'],
  'status.won': [
    'You caught {amount}! It is on its way to your wallet.',
    '恭喜抢到 {amount}！正在存入您的钱包。',
  ],
  'status.credited': ['You caught {amount}. It is in your wallet.', '您抢到了 {amount}，已存入钱包。'],
  'status.creditLate': [
    'You caught {amount}, and it is safely yours. Your wallet takes a little longer than usual to show it.',
    '您抢到了 {amount}，红包已归您所有。入账比平时稍慢，请稍后到钱包查看。',
  ],
  'status.repeat': ['You already claimed yours: {amount}.', '您已领取过本场红包：{amount}。'],
  'status.unsure': [
    'The answer got lost, so we do not know yet whether you caught one. We are looking in your wallet. Pressing again is safe.',
    '回复在途中丢失，暂时不知道您是否抢到。我们正在查看您的钱包，再按一次也没有问题。',
  ],
  'status.looking': ['Looking in your wallet …', '正在查看您的钱包…'],
  'status.notFound': [
    'Your wallet shows no packet of this rain so far. Should you have caught one, it is not lost: look again in a moment.',
    '您的钱包里暂时没有本场红包。如果已经抢到，红包不会丢失，请稍后再看。',
  ],
  'status.unsureGone': [
    'All packets are gone. Whether your earlier tap caught one, your wallet will show: we keep looking.',
    '红包已全部抢光。您之前是否抢到以钱包为准，我们正在继续查看。',
  ],
  'status.soldOut': [
    'All packets are gone, 0 left. Thank you for trying.',
    '红包已全部抢光，剩余 0 个。感谢您的参与。',
  ],
  'status.roundSoldOut': [
    'All packets of this wave are gone, 0 left. Stay here: the next wave begins by itself.',
    '本轮红包已抢光，剩余 0 个。请留在本页，下一轮会自动开始。',
  ],
  'status.roundOver': [
    'This wave is over. Stay here: the next one begins by itself.',
    '本轮已结束。请留在本页，下一轮会自动开始。',
  ],
  'status.returned': ['There are packets again: {remaining} left.', '又有红包了：剩余 {remaining} 个。'],
  'status.toWallet': ['See your wallet', '查看钱包'],
  'problem.sold-out': ['All packets are gone, {remaining} left.', '红包已全部抢光，剩余 {remaining} 个。'],
  'problem.paused': [
    'The rain is paused for a moment. Stay here: it goes on by itself.',
    '红包雨暂停中，请留在本页，恢复后会自动继续。',
  ],
  'problem.ended': ['The rain is over. Thank you for coming.', '红包雨已经结束，感谢您的参与。'],
  'problem.stale-page': [
    'The rain moved on while you were here. We have fetched the latest. Please press once more.',
    '活动已更新，我们已为您取得最新状态，请再按一次。',
  ],
  'problem.level-too-low': [
    'This rain is for members of a higher level than yours.',
    '本场红包雨仅面向更高等级的会员，您的等级暂未达到。',
  ],
  'problem.blocked': [
    'Catching packets is not possible from this account or this network. If you think that is a mistake, ask the shop.',
    '当前账号或网络无法领取红包。如有疑问，请联系商家。',
  ],
  'rain.packets': ['in {n} {n|packet|packets}', '共 {n} 个红包'],
  'rain.caught': ['You caught', '恭喜抢到'],
  'purse.link': ['My wallet', '我的钱包'],
  'purse.onItsWay': ['On its way to your wallet', '正在存入您的钱包'],
  'purse.holds': ['In your wallet', '钱包余额'],
  'round.title': ['Waves', '红包轮次'],
  'round.units': ['{n} {n|packet|packets}', '{n} 个红包'],
  'round.next': ['Next', '下一轮'],
  'round.nextAt': ['Next wave at {time}', '下一轮：{time}'],
  'facts.title': ['How it works', '活动规则'],
  'facts.total': ['All packets together', '红包总额'],
  'facts.limit': ['Per shopper', '每人可抢'],
  'facts.onePacket': ['one packet', '1 个红包'],
  'facts.amounts': ['In each packet', '每个红包'],
  'facts.luck': ['a different amount, by luck', '金额随机，全凭运气'],
  'facts.goes': ['Where it goes', '发放方式'],
  'facts.toWallet': ['to your wallet, within seconds', '数秒内存入钱包'],
} as const satisfies Messages
