/**
 * The requests of one shopper's browser, by phase: the one source of these figures. A browser is
 * counted against them in `test/browser/requests.test.ts`. Polls of the pointer are not among them:
 * `core/sale/pointer-poll.ts` says when a page polls.
 */

/** At the distribution. */
export const pageRequests = {
  /** Page, style, script and picture; the pointer and the countdown. */
  firstLoad: 6,
  /** The page and the pointer; the browser has kept the rest. */
  laterLoad: 2,
  /** The first load of another sale: page, picture, pointer and countdown; style and script are the same. */
  otherSale: 4,
  /** The countdown with the start token, after the start flag changed. */
  flip: 1,
  /** A click and nothing else: its answer says what is left. */
  click: 1,
  /** Page, style and script of the order. */
  orderPage: 3,
  /** Reads of the order: at once, and when it is written. */
  orderReads: 2,
  /** The start of the payment; afterwards the page again. */
  payment: 2,
  /** Reads of the order after the payment: at once, and when the provider has reported it. */
  paymentReads: 2,
} as const

/**
 * At most what one of the planned shoppers requests, who waits five minutes: up to the answer of the click, in the half
 * minute after a lost one as well, and with an order that is paid at once.
 */
export const targets = { clicked: 8, lost: 10, won: 17 } as const
