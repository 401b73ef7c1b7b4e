/** Where a shopper's orders are shown, and the paths of what a shopper can do with one. */
export const ordersPath = '/orders/'

/** Where one order is shown. */
export function orderPath(orderId: string): string {
  return `${ordersPath}?id=${encodeURIComponent(orderId)}`
}

/** A shopper's actions on an order, each the last part of a path of the API. */
export const orderActions = ['pay', 'cancel'] as const
export type OrderAction = (typeof orderActions)[number]
