/** What the dead letters of orders say: which orders they are for, whose, and how many units. */
import { type OrderId, saleOfOrder } from '../../../core/ids.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { orderMessage } from '../../../core/orders/order-message.ts'
import type { DeadUnits } from '../../lib/shop/queues.ts'

/** `bodies` are messages as JSON. One that is no order message, or names another sale than its order, is left out. */
export function unitsByOrder(bodies: readonly string[]): ReadonlyMap<OrderId, DeadUnits> {
  const units = new Map<OrderId, DeadUnits>()
  for (const body of bodies) {
    const message = readJson(orderMessage, body)
    if (!message.ok) continue
    const { orderId, saleId, shopperId, quantity, variant, packet } = message.value
    if (saleOfOrder(orderId) === saleId)
      units.set(orderId, { shopperId, quantity, ...(variant && { variant }), ...(packet && { packet }) })
  }
  return units
}
