/** What was promised, and what has become of it (I1, I2). */
import { holdsUnits, type Order } from '../../core/order.ts'
import { findOrder } from '../../functions/orders/read-orders.ts'
import type { World } from '../world.ts'

/** An order of each promise that its shopper sees, or Redis lost it before anybody else knew of it (I2). */
export async function checkPromises(world: World, orders: readonly Order[]): Promise<void> {
  const { promises, violated, truth } = world
  const byId = new Map(orders.map((order) => [order.orderId, order]))
  const sale = await world.sale()
  for (const { orderId, shopperId, quantity } of promises.given.values()) {
    const order = byId.get(orderId)
    if (order === undefined) {
      if (!promises.excused.has(orderId)) violated(`${orderId} was promised and is no order (I2)`)
      continue
    }
    if (order.quantity !== quantity) violated(`${orderId} was promised with another quantity (I2)`)
    const ports = {
      orders: { find: truth.table.find },
      // Its hold is no order: it must be in the table.
      stock: { exec: async () => null },
      offers: { of: async () => sale },
    }
    if ((await findOrder(ports, shopperId, orderId)) === undefined) {
      violated(`${shopperId} cannot see ${orderId} (I2)`)
    }
    if (order.status === 'rejected' && !promises.mayReject(order)) {
      violated(`${orderId} was promised and then rejected as ${order.reason} (I2)`)
    }
  }
}

/** Where everybody could buy, all is sold (I1). */
export async function checkSoldOut(world: World, orders: readonly Order[]): Promise<void> {
  const { stock, flag } = await world.sale()
  if (stock === -1 || flag === 'closed') return
  const standing = orders.filter(({ status }) => holdsUnits(status))
  const units = standing.reduce((sum, { quantity }) => sum + quantity, 0)
  if (units !== stock) world.violated(`${units} of ${stock} units are sold though all could be bought (I1)`)
}
