/** Every word the pages can show, by page: a page downloads only its own part, so only checks and tests see the whole. */
import { checkMessages } from '../static/messages/check.ts'
import { aidMessages } from '../static/messages/console/aids.ts'
import { auditMessages } from '../static/messages/console/audit.ts'
import { blockListMessages } from '../static/messages/console/blocks.ts'
import { brandFormMessages } from '../static/messages/console/brand.ts'
import { customerIssuerMessages } from '../static/messages/console/customers.ts'
import { drawPanelMessages } from '../static/messages/console/draw-panel.ts'
import { embedMessages } from '../static/messages/console/embed.ts'
import { eventMessages } from '../static/messages/console/events.ts'
import { homeMessages } from '../static/messages/console/home.ts'
import { orderTableMessages } from '../static/messages/console/order-table.ts'
import { partMessages } from '../static/messages/console/parts.ts'
import { pictureMessages } from '../static/messages/console/pictures.ts'
import { reachMessages } from '../static/messages/console/reach.ts'
import { reportPanelMessages } from '../static/messages/console/report-file.ts'
import { scheduleMessages } from '../static/messages/console/schedule.ts'
import { seriesMessages } from '../static/messages/console/series.ts'
import { shopperStoryMessages } from '../static/messages/console/shopper-story.ts'
import { splitMessages } from '../static/messages/console/split.ts'
import { systemHealthMessages } from '../static/messages/console/system-health.ts'
import { consoleMessages } from '../static/messages/console.ts'
import { customerMessages } from '../static/messages/customer.ts'
import { drawCheckMessages } from '../static/messages/draw/check.ts'
import { drawEntryMessages } from '../static/messages/draw/entry.ts'
import { expectedWaitMessages } from '../static/messages/expected-wait.ts'
import { ordersMessages } from '../static/messages/orders.ts'
import { rainMessages } from '../static/messages/rain.ts'
import { saleMessages } from '../static/messages/sale.ts'
import { couponSaleMessages } from '../static/messages/sale-coupon.ts'
import { variantSaleMessages } from '../static/messages/sale-variants.ts'
import { shopMessages } from '../static/messages/shop.ts'
import { signInMessages } from '../static/messages/sign-in.ts'
import type { Messages } from '../static/messages/text.ts'
import { walletMessages } from '../static/messages/wallet.ts'

/** The words of each page, by the name of its browser entry; the sale page speaks another way of coupons. */
export const messagesByPage = {
  shop: shopMessages,
  sale: { ...saleMessages, ...checkMessages, ...expectedWaitMessages, ...drawEntryMessages },
  coupon: { ...couponSaleMessages, ...checkMessages, ...expectedWaitMessages },
  variants: { ...variantSaleMessages, ...checkMessages, ...expectedWaitMessages },
  rain: { ...rainMessages, ...checkMessages },
  orders: ordersMessages,
  wallet: walletMessages,
  customer: customerMessages,
  draw: drawCheckMessages,
  'sign-in': signInMessages,
  console: {
    ...consoleMessages,
    ...partMessages,
    ...customerIssuerMessages,
    ...eventMessages,
    ...embedMessages,
    ...drawPanelMessages,
    ...orderTableMessages,
    ...reportPanelMessages,
    ...shopperStoryMessages,
    ...seriesMessages,
    ...homeMessages,
    ...auditMessages,
    ...pictureMessages,
    ...scheduleMessages,
    ...splitMessages,
    ...systemHealthMessages,
    ...brandFormMessages,
    ...aidMessages,
    ...blockListMessages,
    ...reachMessages,
  },
} as const satisfies Record<string, Messages>

export type PageName = keyof typeof messagesByPage
