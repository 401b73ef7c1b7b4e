/** Where one order is shown. */
export function orderPath(orderId: string): string {
  return `/orders/?id=${encodeURIComponent(orderId)}`
}
