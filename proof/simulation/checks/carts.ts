/** Every cart of a shop has its order or its money back, and no order has two carts (I2, I5). */
import type { OrderId } from '../../../core/ids.ts'
import { holdsUnits, isPaidInShop, type Order } from '../../../core/orders/order.ts'
import type { World } from '../world.ts'

/** For a sale at rest. */
export function checkCarts({ carts, violated }: World, orders: readonly Order[]): void {
  const known = new Map(orders.map((order) => [order.orderId, order]))
  const owners = new Map<OrderId, string>()
  for (const { reference, orderId, isReleased = false } of carts.carts.values()) {
    if (orderId === undefined) continue
    const order = known.get(orderId)
    const has = order?.payment?.reference === reference
    if (!isReleased && (order === undefined || !holdsUnits(order.status) || !has))
      violated(`${reference} was paid in the shop, and ${orderId} is ${order?.status ?? 'missing'} (I2)`)
    if (isReleased && order !== undefined && holdsUnits(order.status))
      violated(`${reference} was released by the shop, and ${orderId} is ${order.status} (I4)`)
    owners.set(orderId, reference)
  }
  for (const { orderId, status, payment } of orders.filter(isPaidInShop)) {
    if (payment?.reference === undefined || !holdsUnits(status)) continue
    if (owners.get(orderId) !== payment.reference)
      violated(`${orderId} is paid for ${payment.reference}, which no answer has confirmed (I5)`)
  }
}
