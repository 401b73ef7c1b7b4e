/** The paths of the pages of a shopper's orders, and of the actions on an order. */
export const ordersPath = '/orders/'

export function orderPath(orderId: string): string {
  return `${ordersPath}?id=${encodeURIComponent(orderId)}`
}

/** Returns the path to which the payment provider redirects the shopper. The page of the order checks the payment. */
export const paidPath = (orderId: string): string => `${orderPath(orderId)}${paidHash}`
export const paidHash = '#paid'

/** A shopper's actions on an order, each the last segment of an API path. */
export const orderActions = ['pay', 'cancel'] as const
export type OrderAction = (typeof orderActions)[number]
