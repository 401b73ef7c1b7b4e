/**
 * Every word the pages can show, in English and Simplified Chinese. A page downloads only its own part
 * (`messages/<page>.ts`); the whole exists for the renderers and for the test that walks it.
 */
import { consoleMessages } from './messages/console.ts'
import { ordersMessages } from './messages/orders.ts'
import { saleMessages } from './messages/sale.ts'
import { shopMessages } from './messages/shop.ts'
import { signInMessages } from './messages/sign-in.ts'
import type { Messages } from './messages/text.ts'

/** The words of each page, by the name of its browser entry. */
export const messagesByPage = {
  shop: shopMessages,
  sale: saleMessages,
  orders: ordersMessages,
  'sign-in': signInMessages,
  console: consoleMessages,
} as const satisfies Record<string, Messages>

export type PageName = keyof typeof messagesByPage
