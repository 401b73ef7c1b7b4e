/** Every reservation became an order (I1, I2). */
import { holdsUnits, type Order } from '../../core/order.ts'
import { findOrder } from '../../functions/orders/read-orders.ts'
import { wasAnswered } from '../reservation-record.ts'
import type { World } from '../world.ts'

/**
 * Each reservation is an order that its shopper can read, unless Redis lost it before it was
 * recorded elsewhere (I2).
 */
export async function checkReservations(world: World, orders: readonly Order[]): Promise<void> {
  const { reservations, violated, truth } = world
  const byId = new Map(orders.map((order) => [order.orderId, order]))
  const sale = await world.sale()
  for (const reservation of reservations.reserved.values()) {
    const { orderId, shopperId } = reservation
    const order = byId.get(orderId)
    if (order === undefined) {
      if (!reservations.excused.has(orderId)) violated(`${orderId} was reserved and has no order (I2)`)
      continue
    }
    if (!wasAnswered(reservation, order)) violated(`${orderId} was reserved with other units (I2)`)
    const ports = {
      orders: { find: truth.ledger.find },
      // Its hold is no order: it must be in the table.
      stock: { exec: async () => null },
      offers: { of: async () => sale },
      deliveries: truth.storedDeliveries,
    }
    if ((await findOrder(ports, shopperId, orderId)) === undefined) {
      violated(`${shopperId} cannot read ${orderId} (I2)`)
    }
    if (order.status === 'rejected' && !reservations.mayReject(order)) {
      violated(`${orderId} was reserved and then rejected as ${order.reason} (I2)`)
    }
  }
}

/** Everything that could be bought is sold (I1). */
export async function checkAllSold(world: World, orders: readonly Order[]): Promise<void> {
  const { stock, flag } = await world.sale()
  if (stock === -1 || flag === 'closed') return
  const standing = orders.filter(({ status }) => holdsUnits(status))
  const units = standing.reduce((sum, { quantity }) => sum + quantity, 0)
  if (units !== stock) world.violated(`${units} of ${stock} units are sold though all could be bought (I1)`)
}
