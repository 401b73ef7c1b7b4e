/** Shoppers see the orders that they were answered (I2), and in the end everything is sold (I1). */
import { holdsUnits, type Order } from '../../../core/orders/order.ts'
import { findOrder } from '../../../functions/orders/read-orders.ts'
import type { World } from '../world.ts'

/** Each shopper can read the orders that they were answered (I2). */
export async function checkVisible(world: World, orders: readonly Order[]): Promise<void> {
  const { reservations, simulation, violated, truth } = world
  const written = new Set(orders.map(({ orderId }) => orderId))
  const sale = await world.sale()
  const ports = {
    // Its hold is no order: it must be in the table.
    stock: { exec: async () => null },
    offers: { of: async () => sale },
    table: truth.table,
    clock: simulation.now,
  }
  for (const { orderId, shopperId } of reservations.reserved.values()) {
    if (written.has(orderId) && (await findOrder(ports, shopperId, orderId)) === undefined)
      violated(`${shopperId} cannot read ${orderId} (I2)`)
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
