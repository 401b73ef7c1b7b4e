/** What the history of an order can say. */
const historyWords = [
  'reserved',
  'written',
  'rejected',
  'payment-queued',
  'payment-started',
  'payment-authorised',
  'payment-disputed',
  'dispute-won',
  'dispute-lost',
  'refund-failed',
  'refund-settled',
  'payment-succeeded',
  'payment-failed',
  'payment-window-over',
  'cancelled-by-shopper',
  'confirmed-by-shop',
  'released-by-shop',
  'refunded-by-marketer',
  'refund-succeeded',
  'other-money-received',
  'money-returned',
  'shipped',
  'delivered',
  'coupon-redeemed',
  'redemption-undone',
] as const
export type HistoryWord = (typeof historyWords)[number]

/** Whether this version has the word: a page may be older than the shop. */
export const isHistoryWord = (what: string): what is HistoryWord => historyWords.some((word) => word === what)
