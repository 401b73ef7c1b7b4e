/** Reservations as Redis holds them, for the shopper who made them. */
import type { Commander } from '../../redis/command.ts'
import { ordersOfShopper, readHold, readHolds } from '../../redis/stock.ts'
import type { Holds } from '../orders/read-orders.ts'

export function redisHolds(redis: Commander): Holds {
  return {
    find: (orderId) => readHold(redis, orderId),
    ofShopper: async (saleId, shopperId) => {
      const orders = await ordersOfShopper(redis, saleId, shopperId)
      return orders.map(({ orderId }) => orderId)
    },
    findMany: (saleId, orderIds) => readHolds(redis, saleId, orderIds),
  }
}
