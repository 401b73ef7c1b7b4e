/** Where a shopper's orders are shown, and the paths of what a shopper can do with one. */
export const ordersPath = '/orders/'

/** Where one order is shown. */
export function orderPath(orderId: string): string {
  return `${ordersPath}?id=${encodeURIComponent(orderId)}`
}

/** Where the payment provider sends a shopper who has paid, or tried to: the order, whose page checks the payment. */
export const paidPath = (orderId: string): string => `${orderPath(orderId)}${paidHash}`
export const paidHash = '#paid'

/** A shopper's actions on an order, each the last part of a path of the API. */
export const orderActions = ['pay', 'cancel'] as const
export type OrderAction = (typeof orderActions)[number]
