/** Where a shopper's orders are shown. */
export const ordersPath = '/orders/'

/** Where one order is shown. */
export function orderPath(orderId: string): string {
  return `${ordersPath}?id=${encodeURIComponent(orderId)}`
}
