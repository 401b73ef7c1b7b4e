/** Every word the pages can show, by page: a page downloads only its own part, so only checks and tests see the whole. */
import * as catalogues from '../static/messages/catalogues.ts'
import type { Messages } from '../static/messages/text.ts'

const { checkMessages, remindMessages } = catalogues
const later = { ...checkMessages, ...remindMessages }

/** The words of each page, by the name of its browser entry; the sale page speaks another way of coupons. */
export const messagesByPage = {
  shop: catalogues.shopMessages,
  sale: { ...catalogues.saleMessages, ...later, ...catalogues.drawEntryMessages },
  coupon: { ...catalogues.couponSaleMessages, ...later },
  variants: { ...catalogues.variantSaleMessages, ...later },
  rain: { ...catalogues.rainMessages, ...later },
  orders: catalogues.ordersMessages,
  wallet: {
    ...catalogues.walletMessages,
    ...catalogues.couponCodeMessages,
  },
  customer: catalogues.customerMessages,
  accessibility: catalogues.accessibilityMessages,
  draw: catalogues.drawCheckMessages,
  'sign-in': catalogues.signInMessages,
  console: { ...catalogues.consoleMessages, ...catalogues.consoleViewMessages },
} as const satisfies Record<string, Messages>

export type PageName = keyof typeof messagesByPage
