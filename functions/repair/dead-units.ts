/** What the dead letters of orders say: which orders they are for, and how many units each has. */
import { type OrderId, saleOfOrder } from '../../core/ids.ts'
import { orderMessage } from '../../core/order-message.ts'
import { readJson } from '../../core/parse.ts'

/**
 * `bodies` are messages as JSON. One that is no order message, or names another sale than its
 * order's, is no order's.
 */
export function unitsByOrder(bodies: readonly string[]): ReadonlyMap<OrderId, number> {
  const units = new Map<OrderId, number>()
  for (const body of bodies) {
    const message = readJson(orderMessage, body)
    if (!message.ok) continue
    const { orderId, saleId, quantity } = message.value
    if (saleOfOrder(orderId) === saleId) units.set(orderId, quantity)
  }
  return units
}
