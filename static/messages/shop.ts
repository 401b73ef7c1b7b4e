/** Words of the shop's index. */
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

export const shopMessages = {
  ...sharedMessages,
  'shop.title': ['Today’s sales', '今日抢购'],
  'shop.lead': [
    'Few pieces, many people, one clock. Pick yours and wait with everyone else.',
    '数量有限，人人同一时钟。选好心仪之物，静候开抢。',
  ],
  'shop.empty': ['Nothing is on sale right now. Come back soon.', '暂时没有活动，敬请期待。'],
  'shop.startsIn': ['Starts in {time}', '{time}后开始'],
  'shop.startsAt': ['Starts {time}', '{time} 开始'],
  'shop.left': ['{remaining} left', '剩余 {remaining} 件'],
  'shop.packetsLeft': ['{remaining} {remaining|packet|packets} left', '剩余 {remaining} 个红包'],
  'shop.redPackets': ['in red packets', '红包雨'],
  'shop.freeCoupon': ['Free coupon', '免费领券'],
  'shop.unlimited': ['Enough for everyone', '数量充足'],
  'shop.none': ['0 left', '剩余 0 件'],
  'shop.nextRound': ['Sold out. Next round {time}', '本场已抢完，下一场 {time}'],
  'shop.ended': ['Thank you for coming', '感谢参与'],
  'shop.paused': ['Back in a moment', '稍后继续'],
  'shop.anyMoment': ['Any moment now', '马上开始'],
  'shop.delayed': ['Not started yet', '活动推迟，尚未开始'],
} as const satisfies Messages
