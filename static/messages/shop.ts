/** Words of the shop's index. */
import { listPriceMessages } from './list-price.ts'
import { sharedMessages } from './shared.ts'
import type { Messages } from './text.ts'

export const shopMessages = {
  ...sharedMessages,
  ...listPriceMessages,
  'shop.title': ['Flash sales', '限时抢购'],
  'shop.pageTitle': ['Flash sales', '限时抢购'],
  'shop.lead': [
    'Limited stock, and everyone starts at the same time. Pick a sale and be ready when it opens.',
    '限量发售，准时开抢。选好心仪商品，记得准时来抢。',
  ],
  'shop.empty': ['No sales right now. Check back soon.', '暂时没有活动，敬请期待。'],
  'shop.startsIn': ['Starts in {time}', '距开始 {time}'],
  'shop.startsAt': ['Starts {time}', '{time} 开始'],
  'shop.left': ['{remaining} left', '剩余 {remaining} 件'],
  'shop.couponsLeft': ['{remaining} left', '剩余 {remaining} 张'],
  'shop.coupon.open': ['Live now', '领取中'],
  'shop.coupon.sold-out': ['All claimed', '已领完'],
  'shop.red-packet.open': ['Live now', '进行中'],
  'shop.red-packet.sold-out': ['All gone', '已抢完'],
  'shop.packetsLeft': ['{remaining} red {remaining|packet|packets} left', '剩余 {remaining} 个红包'],
  'shop.redPackets': ['in red packets', '红包雨'],
  'shop.freeCoupon': ['Free coupon', '免费领券'],
  'shop.unlimited': ['In stock', '库存充足'],
  'shop.none': ['None left', '已无剩余'],
  'shop.nextRound': ['Sold out. Next round: {time}', '本场已抢完，下一场 {time}'],
  'shop.ended': ['Thanks for taking part', '感谢参与'],
  'shop.paused': ['Back soon', '稍后恢复'],
  'shop.anyMoment': ['Any moment now', '马上开始'],
  'shop.delayed': ['Not started yet', '活动推迟，尚未开始'],
} as const satisfies Messages
