/** Where a shopper's orders are shown, and the paths of what a shopper can do with one. */
export const ordersPath = '/orders/'

/** Where one order is shown. */
export function orderPath(orderId: string): string {
  return `${ordersPath}?id=${encodeURIComponent(orderId)}`
}

/**
 * The fragment with which the page of orders opens the withdrawal of an order without a session: alone it asks for the order, with
 * `=` and a token it is the link of an e-mail. A fragment is in no log and no referrer.
 */
export const withdrawMark = '#withdraw'

/** A shopper's actions on an order, each the last part of a path of the API. */
export const orderActions = ['pay', 'cancel'] as const
export type OrderAction = (typeof orderActions)[number]
