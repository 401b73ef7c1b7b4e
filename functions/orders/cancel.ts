/** Cancels a shopper's own unpaid order; its units are for sale again. */

import type { OrderView } from '../../core/api/shop.ts'
import type { OrderId, ShopperId } from '../../core/ids.ts'
import type { OrderStatus } from '../../core/orders/order.ts'
import { type ChangeOrderPorts, changeOrder } from './change-order.ts'
import { ownOrder, viewOf } from './own-order.ts'

/**
 * `cancelled` also for a repeat. `not-written`: reserved, but not yet in the table. `refused`: the
 * shopper cannot cancel an order in this status. `no-order`: missing, or another shopper's.
 */
export type Cancelling =
  | { kind: 'cancelled'; order: OrderView }
  | { kind: 'not-written' | 'no-order' }
  | { kind: 'refused'; status: OrderStatus }

/**
 * Can be repeated.
 * @throws what the table throws
 */
export async function cancelOrder(
  ports: ChangeOrderPorts,
  shopperId: ShopperId,
  orderId: OrderId,
): Promise<Cancelling> {
  const own = await ownOrder(ports, shopperId, orderId)
  if (own === undefined) return { kind: 'no-order' }
  if (own.kind === 'reserved') return { kind: 'not-written' }
  const changed = await changeOrder(ports, orderId, { kind: 'cancelled-by-shopper' })
  if (changed.kind === 'refused') return { kind: 'refused', status: changed.order.status }
  if (changed.kind !== 'moved' && changed.kind !== 'same') {
    throw new Error(`${orderId} answered its cancellation with ${changed.kind}`)
  }
  return { kind: 'cancelled', order: viewOf(changed.order) }
}
